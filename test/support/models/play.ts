import type { ServerResponse } from 'node:http';
import { assertNever } from '../../../shared/base/assert-never.ts';
import { type Act, type Part, actsOf } from './acts.ts';
import type { Script } from './script.ts';
import type { PlainAnswer, Wire } from './wire.ts';

/** How an answer ended: `left` = the client (or the closing server) broke the connection first. */
export type Outcome = 'answered' | 'cut' | 'left' | 'refused';

/** Sends a whole JSON answer. */
export function sendPlain(response: ServerResponse, { status, headers, body }: PlainAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

interface Line {
  readonly left: Promise<void>;
  hasLeft(): boolean;
  write(frame: string): Promise<void>;
  flushed(): Promise<void>;
}

// Waits for the reader: what the kernel has not taken is not piled up.
function lineOf(response: ServerResponse, onHead: () => void, contentType: string): Line {
  let gone = false;
  const left = new Promise<void>((resolve) => {
    response.on('close', () => {
      gone = true;
      resolve();
    });
  });
  let last: Promise<void> = Promise.resolve();
  return {
    left,
    hasLeft: () => gone,
    async write(frame) {
      if (!response.headersSent) {
        response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-cache' });
        onHead();
      }
      let more = true;
      last = new Promise((resolve) => {
        more = response.write(frame, () => resolve());
      });
      if (!more) await Promise.race([new Promise((resolve) => response.once('drain', resolve)), left]);
    },
    flushed: () => Promise.race([last, left]),
  };
}

type Final = Exclude<Act, { kind: 'send' | 'pass' }>;

async function endWith(act: Final, wire: Wire, response: ServerResponse, line: Line): Promise<Outcome> {
  if (act.kind !== 'over' && response.headersSent) {
    response.destroy();
    throw new Error(
      `the script has ${act.kind === 'page' ? 'a page' : 'an HTTP error'} after the answer began`,
    );
  }
  switch (act.kind) {
    case 'refuse':
      sendPlain(response, wire.refuse(act.problem, act.hint));
      return 'answered';
    case 'page':
      response.writeHead(act.page.status, { 'content-type': act.page.contentType }).end(act.page.body);
      return 'answered';
    case 'over':
      if (act.how === 'hang') await line.left;
      if (act.how === 'hang') return 'left';
      await line.flushed();
      if (act.how === 'ended') response.end();
      else response.socket?.destroy();
      return act.how === 'ended' ? 'answered' : 'cut';
    default:
      return assertNever(act);
  }
}

/** Plays a script on a response; rejects when the script cannot be played. */
export async function play(
  script: Script,
  { wire, part, response }: { readonly wire: Wire; readonly part: Part; readonly response: ServerResponse },
): Promise<Outcome> {
  const line = lineOf(response, () => part.tally.commit(), part.encoder.contentType);
  for (const act of actsOf(script, part)) {
    if (line.hasLeft()) return 'left';
    switch (act.kind) {
      case 'send':
        await line.write(act.frame);
        break;
      case 'pass':
        await Promise.race([act.gate.pass(), line.left]);
        break;
      default:
        return endWith(act, wire, response, line);
    }
  }
  throw new Error('a script ended without an end');
}
