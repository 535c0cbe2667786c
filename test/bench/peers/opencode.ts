import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { waitFor } from '../../support/real/wait-for.ts';
import { endProgram } from './lines.ts';
import type { Peer, PeerPlace } from './peer.ts';
import { peerEnvironment } from './place.ts';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  if (address === null || typeof address === 'string') throw new Error('there is no free port');
  return address.port;
}

function configure({ home, modelUrl }: PeerPlace): void {
  mkdirSync(join(home, '.config/opencode'), { recursive: true });
  const provider = {
    npm: '@ai-sdk/openai-compatible',
    name: 'bench',
    options: { baseURL: `${modelUrl}/v1`, apiKey: 'bench' },
    models: { 'bench-model': { name: 'bench', limit: { context: 200_000, output: 8_000 } } },
  };
  const config = {
    provider: { bench: provider },
    model: 'bench/bench-model',
    permission: { bash: 'allow' },
    autoupdate: false,
    share: 'disabled',
  };
  writeFileSync(join(home, '.config/opencode/opencode.json'), JSON.stringify(config));
}

async function ask<Answer>(url: string, body: unknown): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`it answered ${response.status}`);
  return (await response.json()) as Answer;
}

/** opencode's server; a turn is one request that is answered when the turn is over. */
export const opencode: Peer = {
  name: 'opencode',
  package: 'opencode-ai',
  async start(place) {
    configure(place);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const child = spawn(
      join(place.folder, 'node_modules/.bin/opencode'),
      ['serve', '--port', String(port), '--hostname', '127.0.0.1'],
      {
        env: {
          ...peerEnvironment(place),
          OPENCODE_DISABLE_MODELS_FETCH: '1',
          OPENCODE_DISABLE_AUTOUPDATE: '1',
        },
        cwd: place.home,
        stdio: 'ignore',
      },
    );
    // What it is asked while it begins is never answered.
    const healthy = async (): Promise<boolean> =>
      (await fetch(`${url}/global/health`, { signal: AbortSignal.timeout(500) })).ok;
    await waitFor(healthy, {
      what: 'opencode to be ready',
      withinMs: 60_000,
      everyMs: 10,
    }).catch(async (error: unknown) => {
      await endProgram(child);
      throw error;
    });
    let session: string | undefined;
    return {
      pid: child.pid ?? 0,
      async turn(text) {
        session ??= (await ask<{ id: string }>(`${url}/session`, {})).id;
        const model = { providerID: 'bench', modelID: 'bench-model' };
        await ask(`${url}/session/${session}/message`, { model, parts: [{ type: 'text', text }] });
      },
      stop: () => endProgram(child),
    };
  },
};
