/** A system call as strace printed it: the whole of it, also where it was interrupted by lines of other processes. */
export interface TracedCall {
  readonly pid: number;
  readonly name: string;
  /** What stands between the brackets. */
  readonly args: string;
  /** What it gave back: a number, with the path of a descriptor in angle brackets, or `-1 ENOENT (...)`. */
  readonly result: string;
}

/** A line: a call that began, or one that ended, or both. */
export type TraceLine =
  | { readonly kind: 'began'; readonly pid: number; readonly name: string; readonly args: string }
  | { readonly kind: 'ended'; readonly call: TracedCall };

const whole = /^(\d+) +([a-z0-9_]+)\((.*)\) += (.*)$/s;
const unfinished = /^(\d+) +([a-z0-9_]+)\((.*) ?<unfinished \.\.\.>$/s;
const resumed = /^(\d+) +<\.\.\. ([a-z0-9_]+) resumed>(.*)\) += (.*)$/s;

/** Reads strace's lines in their order and joins the halves of interrupted calls; other lines are null. */
export function lineReader(): (line: string) => TraceLine | null {
  const begun = new Map<string, string>();
  return (line) => {
    const start = unfinished.exec(line);
    if (start) {
      const [, pid = '', name = '', args = ''] = start;
      begun.set(`${pid} ${name}`, args);
      return { kind: 'began', pid: Number(pid), name, args };
    }
    const end = resumed.exec(line);
    if (end) {
      const [, pid = '', name = '', rest = '', result = ''] = end;
      const args = `${begun.get(`${pid} ${name}`) ?? ''}${rest}`;
      begun.delete(`${pid} ${name}`);
      return { kind: 'ended', call: { pid: Number(pid), name, args, result } };
    }
    const both = whole.exec(line);
    if (!both) return null;
    const [, pid = '', name = '', args = '', result = ''] = both;
    return { kind: 'ended', call: { pid: Number(pid), name, args, result } };
  };
}

const named: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  v: '\v',
  f: '\f',
  a: '\x07',
  b: '\b',
};
const escaped = /\\(x[0-9a-f]{2}|[0-7]{1,3}|[\s\S])/g;

/** A text as strace quotes it, as the bytes were; UTF-8. */
export function unquoted(text: string): string {
  const bytes = text.replace(escaped, (_, code: string) => {
    if (code.startsWith('x')) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8) & 0xff);
    return named[code] ?? code;
  });
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

const quoted = /"((?:[^"\\]|\\[\s\S])*)"/g;

/** The texts in quotes, in their order. */
export function quotedTexts(args: string): readonly string[] {
  return [...args.matchAll(quoted)].map(([, text = '']) => unquoted(text));
}
