import type { WriteStream } from 'node:tty';
import { KairosError } from '../../../shared/base/errors.ts';
import type { TextOutput } from '../context.ts';

const full = ['ENOSPC', 'EDQUOT'];

function unwritable(code: string, cause: unknown): KairosError {
  const why = full.includes(code) ? 'the disk is full' : code;
  return new KairosError('output_failed', `What this command prints could not be written: ${why}.`, {
    cause,
    next: full.includes(code) ? 'Free some space, or send it elsewhere.' : 'Send it elsewhere.',
  });
}

/** A TextOutput over a stream of this process. A reader that is gone (EPIPE) is quiet; any other fault is thrown by `write`. */
export function streamOutput(stream: NodeJS.WriteStream): TextOutput {
  let gone = false;
  stream.on('error', () => {
    gone = true;
  });
  const terminal = stream as Partial<WriteStream>;
  return {
    isTerminal: terminal.isTTY === true,
    get columns() {
      // A terminal that was never told its size (CI, `script`, some editors) says 0.
      return terminal.isTTY === true && terminal.columns !== 0 ? terminal.columns : undefined;
    },
    get closed() {
      return gone;
    },
    write(text) {
      if (gone) return Promise.resolve();
      return new Promise<void>((resolve, reject) => {
        stream.write(text, (error) => {
          const code = (error as NodeJS.ErrnoException | null | undefined)?.code;
          if (error === null || error === undefined) resolve();
          else if (code === 'EPIPE' || code === 'EIO' || code === 'ERR_STREAM_DESTROYED') {
            gone = true;
            resolve();
          } else reject(unwritable(code ?? 'unknown error', error));
        });
      });
    },
  };
}
