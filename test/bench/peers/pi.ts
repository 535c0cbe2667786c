import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startLines } from './lines.ts';
import type { Peer } from './peer.ts';
import { peerEnvironment } from './place.ts';

/** pi as a long-lived program: `--mode rpc`. */
export const pi: Peer = {
  name: 'pi',
  package: '@mariozechner/pi-coding-agent',
  async start(place) {
    const { folder, home, modelUrl } = place;
    mkdirSync(join(home, '.pi/agent'), { recursive: true });
    const model = {
      id: 'bench-model',
      name: 'bench',
      reasoning: false,
      input: ['text'],
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      contextWindow: 200_000,
      maxTokens: 8_000,
    };
    const provider = { baseUrl: modelUrl, apiKey: 'bench', api: 'anthropic-messages', models: [model] };
    writeFileSync(join(home, '.pi/agent/models.json'), JSON.stringify({ providers: { bench: provider } }));
    const program = startLines(
      join(folder, 'node_modules/.bin/pi'),
      ['--mode', 'rpc', '--provider', 'bench', '--model', 'bench-model'],
      { env: { ...peerEnvironment(place), PI_OFFLINE: '1' }, cwd: home },
    );
    const ready = program.next(({ id }) => id === 'ready');
    program.say({ id: 'ready', type: 'get_state' });
    await ready.catch(async (error: unknown) => {
      await program.stop();
      throw error;
    });
    return {
      pid: program.pid,
      async turn(text) {
        const ended = program.next(({ type }) => type === 'agent_end');
        program.say({ type: 'prompt', message: text });
        await ended;
      },
      stop: program.stop,
    };
  },
};
