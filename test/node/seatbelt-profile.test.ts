import { describe, expect, test } from 'vitest';
import { seatbeltProfile, type SeatbeltPlace } from '../../electron/node/seatbelt-profile.ts';
import { mayOnPath, readProfile } from './support/seatbelt-reader.ts';

const place = (kind: SeatbeltPlace['kind'], path: string): SeatbeltPlace => ({ kind, path });
const bare = { places: [], absent: [], ports: [] };
const session = {
  places: [
    place('hide', '/Users/me/.kairos'),
    place('write', '/Users/me/.kairos/scratch/s1'),
    place('hide', '/Users/me/.kairos/scratch/s1/.sandbox'),
    place('write', '/Users/me/.kairos/scratch/s1/.sandbox/temp-1'),
    place('hide', '/Users/me/.ssh'),
    place('write', '/Users/me/work'),
    place('write', '/Users/me/work/.git'),
    place('read', '/Users/me/work/.git/hooks'),
    place('read', '/Users/me/work/.claude'),
  ],
  absent: ['/Users/me/work/.mcp.json', '/Users/me/work/.config'],
  ports: [54321],
};

describe('a profile of Seatbelt', () => {
  test('begins with deny and opens these operations and no others', () => {
    const rules = readProfile(seatbeltProfile(session)).slice(1) as readonly (readonly string[])[];
    const allowed = rules.filter(([effect]) => effect === 'allow').flatMap((rule) => rule.slice(1));
    expect(rules[0]).toEqual(['deny', 'default']);
    expect([...new Set(allowed.filter((part) => typeof part === 'string'))]).toEqual([
      'process-fork',
      'process-exec',
      'process-info*',
      'signal',
      'sysctl-read',
      'ipc-posix-sem',
      'mach-lookup',
      'file-read*',
      'file-write-data',
      'file-ioctl',
      'file-write*',
      'file-read-metadata',
      'network-outbound',
    ]);
  });

  test('reaches no process outside, no service but the names of users, no port but those named', () => {
    const lines = seatbeltProfile(session).split('\n');
    const about = (what: string): string[] => lines.filter((line) => line.includes(what));
    expect([...about('signal'), ...about('process-info'), ...about('mach-'), ...about('network')]).toEqual([
      '(allow signal (target same-sandbox))',
      '(deny process-info* nvram* iokit-get-properties)',
      '(allow process-info* (target same-sandbox))',
      '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.opendirectoryd.membership"))',
      '(allow network-outbound (remote ip "localhost:54321"))',
    ]);
    expect(seatbeltProfile(bare)).not.toContain('network');
  });

  test.each<[string, string]>([
    ['/Users/me/work/src/a.ts', 'read write move'],
    ['/Users/me/work', 'read write'],
    ['/Users/me/work/.git/index', 'read write move'],
    ['/Users/me/work/.git', 'read write'],
    ['/Users/me/work/.git/hooks', 'read'],
    ['/Users/me/work/.git/hooks/pre-commit', 'read'],
    ['/Users/me/work/.git/hooks-of-mine', 'read write move'],
    ['/Users/me/work/.claude/settings.json', 'read'],
    ['/Users/me/work/.mcp.json', 'read'],
    ['/Users/me/work/.MCP.Json', 'read'],
    ['/Users/me/work/xmcp.json', 'read write move'],
    ['/Users/me/work/.mcp.json.bak', 'read write move'],
    ['/Users/me/work/.config/fish/config.fish', 'read'],
    ['/Users/me/workshop/a', 'read'],
    ['/Users/me/.ssh', ''],
    ['/Users/me/.ssh/id_ed25519', ''],
    ['/Users/me/.kairos/daemon.json', ''],
    ['/Users/me/.kairos/scratch/s2/out.txt', ''],
    ['/Users/me/.kairos/scratch/s1/out.txt', 'read write move'],
    ['/Users/me/.kairos/scratch/s1', 'read write'],
    ['/Users/me/.kairos/scratch/s1/.sandbox/profile-1', ''],
    ['/Users/me/.kairos/scratch/s1/.sandbox/temp-1/x', 'read write move'],
    ['/Users/me/.zshrc', 'read'],
    ['/etc/hosts', 'read'],
    ['/dev/null', 'read write'],
    ['/dev/fd/1', 'read write'],
    ['/dev/ttys001', ''],
    ['/dev/tty', ''],
    ['/dev/disk0', 'read'],
  ])('%s: %s', (path, expected) => {
    const profile = seatbeltProfile(session);
    const can = [
      mayOnPath(profile, 'file-read-data', path) && 'read',
      mayOnPath(profile, 'file-write-data', path) && 'write',
      mayOnPath(profile, 'file-write-unlink', path) && 'move',
    ];
    expect(can.filter((word) => word !== false).join(' ')).toBe(expected);
  });

  test('lets a path be resolved through what is hidden, and lists nothing there', () => {
    const profile = seatbeltProfile(session);
    const at = (operation: string, path: string): boolean => mayOnPath(profile, operation, path);
    expect([
      at('file-read-metadata', '/Users/me/.kairos/scratch'),
      at('file-read-data', '/Users/me/.kairos/scratch'),
      at('file-read-metadata', '/Users/me/.kairos/daemon.json'),
      at('file-read-metadata', '/Users/me/.ssh'),
    ]).toEqual([true, false, false, false]);
  });

  test('the later rule wins: a place that comes after the one around it is what counts, and only then', () => {
    const outer = place('hide', '/a');
    const inner = place('write', '/a/b');
    const may = (...places: SeatbeltPlace[]): boolean =>
      mayOnPath(seatbeltProfile({ ...bare, places }), 'file-write-data', '/a/b/c');
    expect([may(outer, inner), may(inner, outer)]).toEqual([true, false]);
  });

  test.each([
    '/w/with "quotes"',
    '/w/back\\slash',
    '/w/ends with \\',
    '/w/") (allow default) ("',
    '/w/; not a comment',
    '/w/#"raw"',
    '/w/[a-z]*.(x|y)+?{2}^$',
    '/w/schön/日本',
  ])('names %s and nothing else', (path) => {
    const writes = (terms: Partial<typeof session>, at: string): boolean =>
      mayOnPath(seatbeltProfile({ ...bare, ...terms }), 'file-write-create', at);
    const open = { places: [place('write', path)] };
    const closed = { places: [place('write', '/w')], absent: [path] };
    expect([
      writes(open, `${path}/x`),
      writes(open, '/w/x'),
      writes(closed, path),
      writes(closed, `${path}/x`),
      writes(closed, '/w/x'),
      readProfile(seatbeltProfile({ ...bare, ...open })).length - readProfile(seatbeltProfile(bare)).length,
    ]).toEqual([true, false, false, false, true, 2]);
  });

  test.each(['/w/line\nbreak', '/w/tab\t', '/w/\u0000', '/w/\u007f', '/w/\ud800'])('refuses %j', (path) => {
    for (const terms of [{ places: [place('hide', path)] }, { absent: [path] }])
      expect(() => seatbeltProfile({ ...bare, ...terms })).toThrow(
        expect.objectContaining({ code: 'no_place' }),
      );
  });
});
