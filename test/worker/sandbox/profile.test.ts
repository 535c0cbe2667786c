import { describe, expect, test } from 'vitest';
import { bubblewrapArgs } from '../../../electron/worker/sandbox/bubblewrap.ts';
import { insideEnvironment } from '../../../electron/worker/sandbox/inside-environment.ts';
import { mayBeWritable, type Mount, orderMounts, pinsOf } from '../../../electron/worker/sandbox/mounts.ts';
import { seccompFilter } from '../../../electron/worker/sandbox/seccomp-filter.ts';

const mount = (kind: Mount['kind'], path: string): Mount => ({ kind, path, folder: true });

describe('mounts', () => {
  test('outer places come before what lies in them, and at one place the stricter holds', () => {
    expect(
      orderMounts([
        mount('write', '/a/b'),
        mount('hide', '/a'),
        mount('read', '/a/b/c'),
        mount('write', '/a'),
        mount('write', '/a-b'),
        mount('write', '/a/b/c'),
      ]),
    ).toEqual([mount('hide', '/a'), mount('write', '/a-b'), mount('write', '/a/b'), mount('read', '/a/b/c')]);
  });

  test('folders on the way to a place of another kind are mounts too, those outside of what is writable are not', () => {
    const mounts = orderMounts([
      mount('write', '/h'),
      mount('hide', '/h/a/b/secret'),
      mount('hide', '/h/direct'),
      mount('hide', '/other/x/y'),
      mount('write', '/h/direct/x/scratch'),
      mount('hide', '/h/direct/x/scratch/own/z'),
    ]);
    expect(pinsOf(mounts).map(({ path }) => path)).toEqual(['/h/a', '/h/a/b', '/h/direct/x/scratch/own']);
  });

  test.each([
    ['/home/me/work', true],
    ['/home/me', true],
    ['/home/me/.kairos', false],
    ['/home/me/.kairos/scratch', false],
    ['/home/me/.kairos/scratch/s1', true],
    ['/home/me/.kairos/scratch/s1/x', true],
    ['/home/me/.kairos/scratch/s10', false],
    ['/', false],
  ])('%s may be opened for writing: %s', (path, may) => {
    const grounds = {
      dir: '/home/me/work',
      home: '/home/me/.kairos',
      scratch: '/home/me/.kairos/scratch/s1',
    };
    expect(mayBeWritable(path, grounds)).toBe(may);
  });
});

const profile = {
  bubblewrap: { program: '/usr/bin/bwrap', disablesNamespaces: true },
  mounts: {
    outer: [mount('write', '/w'), { kind: 'hide', path: '/w/f', folder: false }, mount('hide', '/k')],
    inner: [mount('write', '/w/.git'), mount('read', '/w/.git/hooks')],
  },
  cwd: '/w',
  temp: '/k/scratch/s/.sandbox/tmp',
  filterFd: 3,
  infoFd: 4,
  isRoot: false,
  network: null,
} as const;

describe('the arguments of bubblewrap', () => {
  test('the outer stage makes the places, the inner closes what is protected and takes away the rest', () => {
    expect(bubblewrapArgs(profile).join(' ')).toBe(
      [
        '--unshare-user --unshare-pid --unshare-net --unshare-ipc --unshare-uts --unshare-cgroup-try --die-with-parent --cap-drop ALL',
        '--ro-bind / / --dev /dev --proc /proc --size 16777216 --tmpfs /run',
        '--ro-bind-try /run/current-system /run/current-system --ro-bind-try /run/opengl-driver /run/opengl-driver --ro-bind-try /run/wrappers /run/wrappers',
        '--bind /k/scratch/s/.sandbox/tmp /tmp --bind /k/scratch/s/.sandbox/tmp /var/tmp',
        '--bind /w /w --ro-bind /dev/null /w/f --perms 0755 --tmpfs /k --remount-ro /k --chdir /w --info-fd 4 --',
        '/usr/bin/bwrap --unshare-user --new-session --die-with-parent --disable-userns --cap-drop ALL --seccomp 3',
        '--dev-bind / / --remount-ro /proc --bind-try /w/.git /w/.git --ro-bind-try /w/.git/hooks /w/.git/hooks --chdir /w --',
      ].join(' '),
    );
  });

  test('with network the way to the proxy stands between the two; root needs a capability for the second', () => {
    const network = { socket: '/k/p', socat: '/usr/bin/socat', ports: [80, 81] };
    const args = bubblewrapArgs({ ...profile, isRoot: true, network });
    const between = args.slice(args.indexOf('--') + 1, args.lastIndexOf('/usr/bin/bwrap'));
    expect([args.join(' ').includes('--cap-drop ALL --cap-add CAP_SETFCAP'), between.slice(3)]).toEqual([
      true,
      ['bridge', '/usr/bin/socat', '3128', '80 81'],
    ]);
    expect(args.slice(args.lastIndexOf('/usr/bin/bwrap'))).not.toContain('--cap-add');
  });
});

test('the environment loses every way out and gets the proxy and a temp folder', () => {
  const given = {
    PATH: '/bin',
    SSH_AUTH_SOCK: '/s',
    DISPLAY: ':0',
    http_proxy: 'http://corp',
    TMPDIR: '/t',
    KAIROS_RUN: 'r',
  };
  expect(insideEnvironment(given, { proxyPort: null, temp: '/tmp' })).toEqual({
    PATH: '/bin',
    KAIROS_RUN: 'r',
    TMPDIR: '/tmp',
    KAIROS_SANDBOX: '1',
  });
  expect(insideEnvironment(given, { proxyPort: 3128, temp: '/own' })).toMatchObject({
    TMPDIR: '/own',
    HTTPS_PROXY: 'http://127.0.0.1:3128',
    all_proxy: 'socks5h://127.0.0.1:3128',
    no_proxy: 'localhost,127.0.0.1,::1',
  });
});

/** Runs a filter as the kernel does; the words of struct seccomp_data by their offset. */
function verdict(filter: Uint8Array, data: Readonly<Record<number, number>>): number {
  const code = Buffer.from(filter);
  let accumulator = 0;
  for (let at = 0; ; at += 1) {
    const [op, yes, no, k] = [
      code.readUInt16LE(at * 8),
      code[at * 8 + 2] ?? 0,
      code[at * 8 + 3] ?? 0,
      code.readUInt32LE(at * 8 + 4),
    ];
    if (op === 0x06) return k;
    if (op === 0x20) accumulator = data[k] ?? 0;
    else if (op === 0x54) accumulator = (accumulator & k) >>> 0;
    else at += (op === 0x15 ? accumulator === k : accumulator >= k) ? yes : no;
  }
}

describe('the filter of system calls', () => {
  const [allowed, refused] = [0x7fff_0000, 0x0005_0001];
  const numbers = {
    x64: { audit: 0xc000003e, socket: 41, pair: 53, keyctl: 250, uring: 425, read: 0 },
    arm64: { audit: 0xc00000b7, socket: 198, pair: 199, keyctl: 219, uring: 425, read: 63 },
  };

  test.each(['x64', 'arm64'] as const)('%s', (arch) => {
    const filter = seccompFilter(arch);
    const { audit, socket, pair, keyctl, uring, read } = numbers[arch];
    const call = (number: number, first = 0, second = 0, from = audit): string => {
      const answer = verdict(filter ?? new Uint8Array(), { 0: number, 4: from, 16: first, 24: second });
      return answer === allowed ? 'yes' : answer === refused ? 'no' : String(answer);
    };
    const families = [1, 2, 10, 16, 17, 38, 40].map((family) => call(socket, family)).join(' ');
    const pairs = [1, 2, 5, 1 | 0o2000000, 2 | 0o4000].map((type) => call(pair, 1, type)).join(' ');
    expect({
      families,
      pairs,
      rest: [keyctl, uring, read].map((number) => call(number)).join(' '),
      foreign: call(read, 0, 0, 0x40000003),
    }).toEqual({
      families: 'no yes yes yes no no no',
      pairs: 'yes no yes yes no',
      rest: 'no no yes',
      foreign: 'no',
    });
    if (arch === 'x64') expect(call(0x4000_0000 + socket, 2)).toBe('no');
  });

  test('a processor that it does not know has none', () => expect(seccompFilter('mips')).toBe(null));
});
