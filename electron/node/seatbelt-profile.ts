import { dirname } from 'node:path';
import { KairosError } from '../../shared/base/errors.ts';

/** What a place is for a command that Seatbelt (the sandbox of macOS) shuts in. `path`: absolute, real, exists. */
export interface SeatbeltPlace {
  readonly kind: 'write' | 'read' | 'hide';
  readonly path: string;
}

/** What one command may do. */
export interface SeatbeltTerms {
  /** Outer ones first: of those that hold a path the last one counts. */
  readonly places: readonly SeatbeltPlace[];
  /** Paths where nothing is and nothing may be made, in whatever case its name is written. */
  readonly absent: readonly string[];
  /** Ports of this machine that it may connect to; nothing else of the network is there. */
  readonly ports: readonly number[];
}

/**
 * What holds everywhere. Some operations are allowed even where the default is to deny (process-info*, nvram*, iokit-get-properties, as
 * Chromium's profiles say): closed by name. Two services of the system answer, those that know names of users and groups: none that
 * starts programs (launchd, Launch Services), sends AppleEvents, holds keys, looks up hosts or checks certificates.
 */
const everywhere = [
  '(version 1)',
  '(deny default)',
  '(deny process-info* nvram* iokit-get-properties)',
  '(allow process-fork process-exec)',
  '(allow process-info* (target same-sandbox))',
  '(allow signal (target same-sandbox))',
  '(allow sysctl-read)',
  '(deny sysctl-read (sysctl-name-prefix "kern.proc"))',
  '(allow ipc-posix-sem)',
  '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.opendirectoryd.membership"))',
  '(allow file-read*)',
  '(deny file-read* (regex "^/dev/(tty|pty|cu)"))',
  '(allow file-write-data file-ioctl (literal "/dev/null") (literal "/dev/zero"))',
  '(allow file-write-data (subpath "/dev/fd") (literal "/dev/stdout") (literal "/dev/stderr"))',
];

/**
 * A profile in SBPL, in which the last rule that speaks about something decides: first what holds everywhere, then the places from the
 * outside in, then what no place opens again. Throws KairosError `no_place` for a path that cannot stand in a profile.
 */
export function seatbeltProfile({ places, absent, ports }: SeatbeltTerms): string {
  const lines = [
    ...everywhere,
    ...places.map(placeRule),
    ...passages(places).map((path) => `(allow file-read-metadata (literal ${quoted(path)}))`),
    ...absent.map((path) => `(deny file-write* (regex ${quoted(anyCase(path))}))`),
    // A folder that is moved takes what lies in it out of the rules about its path.
    ...places
      .filter(({ kind }) => kind === 'write')
      .map(({ path }) => `(deny file-write-unlink (literal ${quoted(path)}))`),
    ...ports.map((port) => `(allow network-outbound (remote ip "localhost:${port}"))`),
  ];
  return `${lines.join('\n')}\n`;
}

function placeRule({ kind, path }: SeatbeltPlace): string {
  const where = `(subpath ${quoted(path)})`;
  switch (kind) {
    case 'write':
      return `(allow file-read* file-write* ${where})`;
    case 'read':
      return `(deny file-write* ${where})`;
    case 'hide':
      return `(deny file-read* file-write* ${where})`;
    default:
      return kind satisfies never;
  }
}

/** Hidden folders on the way to a writable place in them: who resolves its path looks at each. */
function passages(places: readonly SeatbeltPlace[]): readonly string[] {
  const hidden = places.filter(({ kind }) => kind === 'hide').map(({ path }) => path);
  const ways = places.flatMap(({ kind, path }) => (kind === 'write' ? foldersAbove(path) : []));
  return [...new Set(ways)].filter((way) =>
    hidden.some((path) => way === path || way.startsWith(`${path}/`)),
  );
}

function foldersAbove(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [] : [...foldersAbove(above), above];
}

/** A pattern for a path and all below it; file systems of Macs mostly take `.MCP.json` for `.mcp.json`. */
function anyCase(path: string): string {
  const letters = path.replace(/[$()*+.?[\\\]^{|}]|[a-z]/gi, (sign) =>
    /[a-z]/i.test(sign) ? `[${sign.toLowerCase()}${sign.toUpperCase()}]` : `\\${sign}`,
  );
  return `^${letters}(/|$)`;
}

/** A string of SBPL. What would need more than a backslash before quotes and backslashes is refused, not guessed. */
function quoted(text: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(text) || !text.isWellFormed())
    throw new KairosError('no_place', `${JSON.stringify(text)} cannot be named to the sandbox of macOS`, {
      next: 'Rename what has a line break or another control character in its name.',
    });
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
