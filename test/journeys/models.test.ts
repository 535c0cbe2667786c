import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMind } from '../support/models/mind.ts';
import { call } from '../support/models/script.ts';
import type { ModelServer } from '../support/models/server.ts';
import { startModelServer, wireNames } from '../support/models/start.ts';
import { Kairos, startKairos } from '../support/real/kairos.ts';
import { waitFor } from '../support/real/wait-for.ts';
import { bodies, replyText, send, settle, settled, workFile } from './support/conversation.ts';

/** Looks like no known kind of key, so that only not writing it hides it. */
const canary = 'canary7f3a9c-value';
const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

/** Answers what it is asked; "work" asks for a command first. */
function mind() {
  const made = createMind();
  made
    .when(/work/)
    .calls(call('Bash', { command: 'echo done > work.txt' }))
    .says('The work is done.');
  made
    .when(/environment/)
    .calls(call('Bash', { command: 'env > env.txt' }))
    .says('Written.');
  made.otherwise().says('Here I am.');
  return made.answer;
}

function environment(wire: string, server: ModelServer): Record<string, string> {
  const name = wire.toUpperCase();
  return { [`${name}_API_KEY`]: canary, [`${name}_BASE_URL`]: server.url, KAIROS_MODEL: '' };
}

describe.each(wireNames)('A model over the %s wire', (wire) => {
  let server: ModelServer;
  let kairos: Kairos;
  beforeAll(async () => {
    server = await startModelServer(wire, { apiKey: canary, answer: mind() });
    kairos = await startKairos({
      env: environment(wire, server),
      settings: { models: { prices: { [`${wire}/*`]: price } } },
    });
  });
  afterAll(async () => {
    await kairos.dispose();
    await server.close();
  });

  it('is chosen by its key, does the work, and its cost is booked', async () => {
    const sent = await settle(kairos, 'please work', '--session', 'shop');
    const [created] = bodies(await kairos.exported('shop'), 'session.created');
    const usage = await kairos.json<{ groups: { key: string; requests: number; usd: number }[] }>([
      'usage',
      '--by',
      'model',
    ]);
    const ref = `${wire}/stand-in-large`;
    expect([sent.state, replyText(sent), created.model, usage.groups, server.complaints]).toEqual([
      'settled',
      'The work is done.',
      ref,
      [expect.objectContaining({ key: ref, usd: expect.any(Number) })],
      [],
    ]);
    expect(usage.groups[0]?.usd).toBeGreaterThan(0);
  });

  it('can be tested, and an unknown one says precisely why not', async () => {
    const good = await kairos.json(['models', 'test', `${wire}/stand-in-small`]);
    const bad = await kairos.cli(['models', 'test', `${wire}/nobody`]);
    expect([good, bad.code, bad.stderr]).toEqual([
      { ref: `${wire}/stand-in-small`, ok: true, ms: expect.any(Number), text: 'Here I am.' },
      1,
      expect.stringContaining(`${wire} does not know nobody (404)`),
    ]);
  });

  it('never shows its key: not in files, exports, the bridge, lists, errors, or the environment of workers and tools', async () => {
    await settle(kairos, 'write down your environment', '--session', 'canary');
    const { texts, workers } = await everythingShown(kairos, `${wire}/nobody`);
    expect(workers).toBeGreaterThan(0);
    expect(workFile(kairos, 'env.txt')).toMatch(/^PATH=/m);
    expect([...texts, workFile(kairos, 'env.txt') ?? ''].filter((text) => text.includes(canary))).toEqual([]);
  });
});

/** What every command, the bridge, the environment of workers and the files of the home show. */
async function everythingShown(kairos: Kairos, unknown: string) {
  const shown = await Promise.all(
    [
      ['models'],
      ['models', '--json'],
      ['models', 'test', unknown],
      ['doctor', '--json'],
      ['usage', '--json'],
      ['sessions', '--json'],
      ['export', 'canary'],
      ['daemon', 'status', '--json'],
      ['logs'],
    ].map(async (args) => {
      const { stdout, stderr } = await kairos.cli(args);
      return stdout + stderr;
    }),
  );
  const home = await kairos.bridge.get<unknown>('/home');
  const events = await kairos.bridge.get<unknown>('/sessions/canary/events');
  const workers = kairos.processes('worker').map(({ pid }) => readFileSync(`/proc/${pid}/environ`, 'latin1'));
  const texts = [...shown, ...workers, JSON.stringify({ home, events }), ...filesBelow(kairos.home)];
  return { texts, workers: workers.length };
}

/** Content of every file of the home, databases and logs included. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'));
}

describe('A day budget', () => {
  let server: ModelServer;
  let kairos: Kairos;
  beforeAll(async () => {
    server = await startModelServer('openai', { apiKey: canary, answer: mind() });
    kairos = await startKairos({
      env: environment('openai', server),
      settings: {
        models: { prices: { 'openai/*': { ...price, output: 100 } }, default: 'openai/stand-in-large' },
        // One step may cost 8,192 x $100 a million and its context: the second one no longer fits.
        budgets: { dayUsd: 0.87 },
      },
    });
  });
  afterAll(async () => {
    await kairos.dispose();
    await server.close();
  });

  it('hit in the middle of a turn stops before the next request, tells the command, and one raise lets the turn go on, also after a restart', async () => {
    server.enqueue([
      { kind: 'calls', calls: [call('Bash', { command: 'echo done > work.txt' })] },
      { kind: 'usage', usage: { output: 500 } },
    ]);
    const { message } = await send(kairos, 'please work', '--session', 'shop', '--mode', 'bypassPermissions');
    await waitFor(async () => (await kairos.sessions())[0]?.state === 'parked', { what: 'a parked session' });
    const asked = server.requests.length;
    const parked = bodies(await kairos.exported('shop'), 'session.parked');
    await kairos.stopDaemon();
    await kairos.startDaemon();
    const raised = await kairos.json<{ usd: number; unparked: string[] }>(['usage', 'raise', '2']);
    const done = await settled(kairos, message);
    expect([asked, parked, raised.usd, raised.unparked.length, replyText(done)]).toEqual([
      1,
      [
        {
          code: 'budget',
          reason: expect.stringMatching(
            /day's limit of \$0\.87 .*goes on by itself at midnight, or now with: kairos usage raise 1$/,
          ),
          until: expect.any(Number),
        },
      ],
      2.87,
      1,
      expect.stringContaining('The work is done.'),
    ]);
    expect(replyText(await settle(kairos, 'help', '--session', 'shop'))).toBe('Here I am.');
  });
});

describe('A key program whose keys are good once', () => {
  it('is run once more for all sessions when the first key has expired', async () => {
    const server = await startModelServer('openai', { apiKey: 'key-2', answer: mind() });
    const kairos = new Kairos({ env: { KAIROS_MODEL: '', OPENAI_BASE_URL: server.url } });
    try {
      const runs = join(kairos.base, 'runs');
      const program = join(kairos.base, 'key.mjs');
      writeFileSync(
        program,
        `import { appendFileSync, readFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(runs)}, 'x');
console.log('key-' + readFileSync(${JSON.stringify(runs)}, 'utf8').length);`,
      );
      const openai = { keyCommand: [process.execPath, program] };
      kairos.writeSettings({ models: { default: 'openai/stand-in-large', providers: { openai } } });
      await kairos.startDaemon();
      const names = Array.from({ length: 8 }, (_, index) => `s${index}`);
      const sent = await Promise.all(names.map((name) => send(kairos, 'hello', '--session', name)));
      const done = await Promise.all(sent.map(({ message }) => settled(kairos, message, 30_000)));
      expect([done.map(replyText), readFileSync(runs, 'utf8')]).toEqual([
        names.map(() => 'Here I am.'),
        'xx',
      ]);
    } finally {
      await kairos.dispose();
      await server.close();
    }
  });
});

describe('A key that is refused', () => {
  it('parks the session with what to do, and another model lets it go on with what it owes', async () => {
    const server = await startModelServer('openai', { apiKey: 'another', answer: mind() });
    const kairos = await startKairos({ env: environment('openai', server) });
    try {
      const { message } = await send(kairos, 'help', '--session', 'shop');
      await waitFor(async () => (await kairos.sessions())[0]?.state === 'parked', {
        what: 'a parked session',
      });
      const [parked] = bodies(await kairos.exported('shop'), 'session.parked');
      await kairos.json(['models', 'set', 'offline', '--session', 'shop']);
      const done = await settled(kairos, message);
      const log = await kairos.exported('shop');
      expect([parked, bodies(log, 'session.model_set'), done.state]).toEqual([
        { code: 'credential_refused', reason: expect.stringContaining('OPENAI_API_KEY was refused') },
        [{ model: 'offline' }],
        'settled',
      ]);
      expect(JSON.stringify(log)).not.toContain(canary);
    } finally {
      await kairos.dispose();
      await server.close();
    }
  });
});
