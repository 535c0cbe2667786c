import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { distFolder } from './checkout.ts';
import type { Kairos } from './kairos.ts';
import { waitFor } from './wait-for.ts';

const run = promisify(execFile);

/** Whether this machine has the program that plays a person's terminal. */
export const hasTmux = (process.env.PATH ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'tmux')));

/** How a terminal begins. */
export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** A real terminal (a tmux server of its own) in which `kairos <args>` runs, with a person's eyes and keys. */
export class Terminal {
  readonly #folder = mkdtempSync(join(tmpdir(), 'kt-'));
  readonly #socket = join(this.#folder, 's');
  /** Every byte that the program wrote. */
  readonly #bytes = join(this.#folder, 'bytes');
  readonly #status = join(this.#folder, 'status');

  static async open(
    kairos: Kairos,
    args: readonly string[],
    options: TerminalOptions = {},
  ): Promise<Terminal> {
    const { columns = 80, rows = 24, env = {}, cwd = kairos.work } = options;
    const terminal = new Terminal();
    const variables = { ...kairos.env, TERM: 'tmux-256color', ...env };
    const command = [
      'env -i',
      ...Object.entries(variables).map(([name, value]) => quoted(`${name}=${value}`)),
      ...[process.execPath, join(distFolder('dist'), 'kairos.js'), ...args].map(quoted),
    ].join(' ');
    // The program starts when its bytes are recorded.
    const gated = `trap : INT; read go; ${command}; echo $? > ${quoted(terminal.#status)}`;
    const size = ['-x', String(columns), '-y', String(rows)];
    await terminal.#tmux('-f', '/dev/null', 'new-session', '-d', ...size, '-c', cwd, 'sh', '-c', gated);
    await terminal.#tmux('set-option', '-g', 'remain-on-exit', 'on');
    await terminal.#tmux('set-option', '-g', 'status', 'off');
    await terminal.#tmux('pipe-pane', `cat > ${quoted(terminal.#bytes)}`);
    await terminal.#tmux('send-keys', 'Enter');
    return terminal;
  }

  async #tmux(...args: readonly string[]): Promise<string> {
    const { stdout } = await run('tmux', ['-S', this.#socket, ...args], {
      // A server without an environment would count as one that something of Kairos left behind.
      env: { ...process.env, LANG: 'C.UTF-8' },
    });
    return stdout;
  }

  /** The rows as a person sees them. */
  async screen(): Promise<string[]> {
    return (await this.#tmux('capture-pane', '-p')).split('\n').map((row) => row.trimEnd());
  }

  /** Waits until something stands on the screen; gives the screen. */
  async shows(what: string | RegExp, withinMs = 15_000): Promise<string[]> {
    let last: string[] = [];
    const isThere = (row: string): boolean =>
      typeof what === 'string' ? row.includes(what) : what.test(row);
    return waitFor(
      async () => {
        last = await this.screen();
        return last.some(isThere) ? last : undefined;
      },
      { what: `"${String(what)}" on the screen`, withinMs, everyMs: 50 },
    ).catch((error: Error) => {
      throw new Error(`${error.message}; it shows:\n${last.join('\n')}`);
    });
  }

  /** Presses keys by tmux's names (`Enter`, `C-c`, `PageUp`). */
  async press(...keys: readonly string[]): Promise<void> {
    await this.#tmux('send-keys', ...keys);
  }

  /** Types text as it is. */
  async type(text: string): Promise<void> {
    await this.#tmux('send-keys', '-l', text);
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux('resize-window', '-x', String(columns), '-y', String(rows));
  }

  /** Where the caret stands, and whether it is seen. */
  async caret(): Promise<{ x: number; y: number; isShown: boolean }> {
    const [x, y, shown] = (
      await this.#tmux('display-message', '-p', '#{cursor_x} #{cursor_y} #{cursor_flag}')
    )
      .trim()
      .split(' ');
    return { x: Number(x), y: Number(y), isShown: shown === '1' };
  }

  /** Every byte that was written so far. */
  bytes(): string {
    return existsSync(this.#bytes) ? readFileSync(this.#bytes, 'utf8') : '';
  }

  /** Waits until the program has ended; its exit code. */
  async ended(withinMs = 15_000): Promise<number> {
    const read = (): string => (existsSync(this.#status) ? readFileSync(this.#status, 'utf8') : '');
    const text = await waitFor(() => (read().endsWith('\n') ? read() : undefined), {
      what: 'the end of the program',
      withinMs,
    });
    return Number(text);
  }

  async close(): Promise<void> {
    await this.#tmux('kill-server').catch(() => undefined);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
