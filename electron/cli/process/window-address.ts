import { spawn } from 'node:child_process';
import { type DaemonFile, ticketAnswerSchema } from '../../../shared/protocol/bridge.ts';
import { ask } from '../bridge/client.ts';
import type { CliContext } from '../context.ts';

/** The window's address with a one-time ticket in the fragment, which no server and no log ever sees. */
export async function windowAddress(context: CliContext): Promise<{ daemon: DaemonFile; address: string }> {
  const request = { method: 'POST', path: '/tickets', body: {}, repeatable: true } as const;
  const { daemon, value } = await ask(context, request, ticketAnswerSchema);
  const address = new URL('/', daemon.url);
  address.hash = `ticket=${value.ticket}`;
  return { daemon, address: address.href };
}

type Env = CliContext['env'];

/** Whether a browser can appear where the person sits. */
function hasDesktop(env: Env): boolean {
  if ((env.SSH_CONNECTION ?? '') !== '' || (env.CI ?? '') !== '') return false;
  if (process.platform !== 'linux') return true;
  return (env.DISPLAY ?? '') !== '' || (env.WAYLAND_DISPLAY ?? '') !== '';
}

function opener(address: string): readonly [string, ...string[]] {
  if (process.platform === 'darwin') return ['open', address];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', address];
  return ['xdg-open', address];
}

/** Opens an address in the person's browser; false when there is no desktop or nothing to open it with. */
export function openInBrowser(context: CliContext, address: string): Promise<boolean> {
  if (!context.stdout.isTerminal || !hasDesktop(context.env)) return Promise.resolve(false);
  const [command, ...args] = opener(address);
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', detached: true, windowsHide: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
