import { join } from 'node:path';
import { startLines } from './lines.ts';
import type { Peer } from './peer.ts';
import { peerEnvironment } from './place.ts';

/** Claude Code as a long-lived program: `-p` with streams of JSON. It says nothing before its first message, so it is ready at once. */
export const claude: Peer = {
  name: 'claude',
  package: '@anthropic-ai/claude-code',
  async start(place) {
    const streams = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
    const program = startLines(
      join(place.folder, 'node_modules/.bin/claude'),
      ['-p', ...streams, '--allowedTools', 'Bash'],
      {
        env: {
          ...peerEnvironment(place),
          ANTHROPIC_BASE_URL: place.modelUrl,
          ANTHROPIC_API_KEY: 'bench',
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          DISABLE_AUTOUPDATER: '1',
          IS_SANDBOX: '1',
        },
        cwd: place.home,
      },
    );
    return {
      pid: program.pid,
      async turn(text) {
        const ended = program.next(({ type }) => type === 'result');
        program.say({ type: 'user', message: { role: 'user', content: [{ type: 'text', text }] } });
        await ended;
      },
      stop: program.stop,
    };
  },
};
