import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Ask } from '../support/models/ask.ts';
import { call, calls, type Script, text } from '../support/models/script.ts';
import type { SeenRequest } from '../support/models/seen.ts';
import type { ModelServer } from '../support/models/server.ts';
import { changedBytes, stableBody } from '../support/models/stable-body.ts';
import { startModelServer, wireNames } from '../support/models/start.ts';
import { type Kairos, type KairosOptions, startKairos } from '../support/real/kairos.ts';
import { modelEnvironment } from '../support/real/model-home.ts';
import { bodies, replyText, settle } from './support/conversation.ts';

const callsPerTurn = 8;
const window = 9_000;
const started: { dispose(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of started.splice(0)) await each.dispose();
});

/** Works off a task call by call; which one is due stands in the newest turn, so that a summary may take the place of the rest. */
function worker(ask: Ask): Script {
  if (ask.system.includes('condense'))
    return [text(`The person wants tasks worked off; all went well (${JSON.stringify(ask.turns).length}).`)];
  if (ask.system.includes('running note')) return [text('Note: tasks are worked off one after the other.')];
  const newest = JSON.stringify(ask.turns.at(-1));
  const done = Number([...newest.matchAll(/done (\d+)/g)].at(-1)?.[1] ?? 0);
  if (done >= callsPerTurn || (done === 0 && !/task \d/.test(newest))) return [text('Worked off.')];
  // About 1,000 tokens of output.
  return [calls(call('Bash', { command: `seq 1 900; echo "done ${done + 1}"` }))];
}

async function begin(
  wire: (typeof wireNames)[number],
  options: KairosOptions = {},
): Promise<{ kairos: Kairos; server: ModelServer }> {
  const server = await startModelServer(wire, { apiKey: 'key', answer: worker });
  started.push({ dispose: () => server.close() });
  const kairos = await startKairos({
    ...options,
    env: { ...modelEnvironment(server), ...options.env },
    settings: { models: { overrides: { '*': { contextTokens: window, maxOutputTokens: 1_000 } } } },
  });
  started.unshift(kairos);
  return { kairos, server };
}

/** The requests of the conversation, apart by what they begin with: a compaction begins anew. */
function beginnings(server: ModelServer): SeenRequest[][] {
  const groups: SeenRequest[][] = [];
  let first = '';
  for (const request of server.requests) {
    if (request.ask === undefined || request.ask.tools.length === 0) continue;
    const [begin = ''] = stableBody(request).messages.filter((message) => !message.includes('"system"'));
    if (begin !== first) groups.push([]);
    first = begin;
    groups.at(-1)?.push(request);
  }
  return groups;
}

it.each(wireNames)(
  'A conversation of five windows goes on over the %s wire, through kill -9 of the daemon, and knows its instructions',
  async (wire) => {
    const { kairos, server } = await begin(wire);
    mkdirSync(join(kairos.work, '.git'));
    writeFileSync(join(kairos.work, 'AGENTS.md'), 'Use tabs in this project.');
    const answers: string[] = [];
    for (let n = 1; n <= 6; n += 1) {
      if (n === 3)
        process.kill((await kairos.json<{ pid: number }>(['daemon', 'status', '--json'])).pid, 'SIGKILL');
      if (n === 4) writeFileSync(join(kairos.work, 'AGENTS.md'), 'Use spaces from now on.');
      answers.push(replyText(await settle(kairos, `task ${n}`, '--session', 'long')));
    }
    const log = await kairos.exported('long');
    const compactions = bodies(log, 'context.compacted');
    const systems = server.requests.flatMap(({ ask }) =>
      ask?.system.includes('You are Kairos') === true ? [ask.system] : [],
    );
    const told = bodies(log, 'context.noted').map(({ text: words }) => String(words).includes('Use spaces'));
    expect({
      answers,
      complaints: server.complaints,
      several: compactions.length >= 4,
      beginnings: beginnings(server).length - compactions.length,
      changed: beginnings(server).flatMap(changedBytes),
      by: [...new Set(compactions.map(({ by }) => by))],
      unknown: bodies(log, 'call.ended').filter(({ result }) => result.outcome !== 'ok').length,
      first: systems[0]?.includes('Use tabs'),
      last: systems.at(-1)?.includes('Use spaces'),
      told,
    }).toEqual({
      answers: Array.from({ length: 6 }, () => 'Worked off.'),
      complaints: [],
      several: true,
      beginnings: 1,
      changed: [],
      by: ['model'],
      unknown: 0,
      first: true,
      last: true,
      told: [true],
    });
  },
  90_000,
);

// The second frame that is pinned is the one after the compaction: what was compacted is stored, the request is not made yet.
it.each(['before', 'after'])(
  'A daemon that is killed between a compaction and the next request, %s it pins the new frame, goes on without compacting twice',
  async (side) => {
    const crash = `daemon:commit.pinFrame:${side}:2`;
    const { kairos, server } = await begin('anthropic', { dist: 'dist-crash', env: { KAIROS_CRASH: crash } });
    const answers: string[] = [];
    for (let n = 1; n <= 2; n += 1)
      answers.push(replyText(await settle(kairos, `task ${n}`, '--session', 'long')));
    const log = await kairos.exported('long');
    const died = existsSync(join(kairos.home, `crash-${crash.replaceAll(':', '-')}.done`));
    const asked = server.requests.filter(({ ask }) => ask?.system.includes('condense') === true).length;
    expect({
      died,
      answers,
      complaints: server.complaints,
      outcomes: [...new Set(bodies(log, 'call.ended').map(({ result }) => result.outcome))],
      calls: bodies(log, 'call.ended').length,
      summaries: asked - bodies(log, 'context.compacted').length,
    }).toEqual({
      died: true,
      answers: ['Worked off.', 'Worked off.'],
      complaints: [],
      outcomes: ['ok'],
      calls: 2 * callsPerTurn,
      summaries: 0,
    });
  },
  60_000,
);
