import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BridgeRefusal } from '../../support/real/bridge-client.ts';
import { killNow } from '../../support/real/processes.ts';
import { waitFor } from '../../support/real/wait-for.ts';
import type { Evidence } from './evidence.ts';
import type { Conversation, Stage } from './stage.ts';

/** Three of these together are larger than a frame of the link may be. */
const large = (file: string): string => `write ${file}: ${'"'.repeat(60_000)}`;
/** So is this picture when a worker hands it over: 640 x 480 as far as anybody looks. */
const picture = Buffer.concat([Buffer.from('GIF89a\x80\x02\xe0\x01', 'latin1'), Buffer.alloc(250_000, 7)]);
const largeFiles = ['l1.txt', 'l2.txt', 'l3.txt', 'l4.txt'];
/** What the directory brings: asked about once, by the first call that works in it. */
const brought = JSON.stringify({ permissions: { allow: ['Bash(never run by anybody)'] } });
const settings = { sessions: { hibernateAfterSeconds: 0.2, defaultMode: 'default' } };

/** What a person does beside talking: acts on sessions, rules, trust, devices and settings; a large message; a worker that is killed. */
export function actsConversation(): Conversation {
  return {
    env: {},
    settings,
    messages: 6,
    parkingAllowed: [],
    converse,
    problems: (stage, evidence) => checkActs(stage, evidence),
    dispose: async () => undefined,
  };
}

/** Each act is repeated until it is acknowledged. */
async function converse(stage: Stage): Promise<void> {
  const { kairos, client, ledger } = stage;
  writeFileSync(join(kairos.work, 'picture.gif'), picture);
  mkdirSync(join(kairos.work, '.kairos'));
  writeFileSync(join(kairos.work, '.kairos', 'settings.json'), brought);
  await client.makeSession('draft');
  const { id } = await client.insist<{ id: string }>('GET', '/sessions/draft');
  const acts = [
    ['rename', { name: 'main' }],
    ['pause', undefined],
    ['mode', { mode: 'bypassPermissions' }],
    ['brief', { brief: true }],
    ['brief', { brief: false }],
    ['model', { model: 'offline' }],
    ['resume', undefined],
  ] as const;
  for (const [act, body] of acts) await client.insist('POST', `/sessions/${id}/${act}`, body);
  await client.insist('POST', '/models/default', { model: 'offline' });
  await decide(stage);
  const long = await client.send({ session: id, text: `run echo c-dies >> ${ledger}; sleep 60` });
  await running(stage);
  const texts: string[] = [];
  for (const file of largeFiles) texts.push(await client.send({ session: id, text: large(file) }));
  for (const { pid } of kairos.processes('worker')) killNow(pid);
  for (const uuid of [long, ...texts]) await client.settled(uuid);
  await client.settled(
    await client.send({ session: id, text: `read picture.gif\nrun echo c-last >> ${ledger}` }),
  );
}

/** Rules and devices that stay, and others that are taken back. */
async function decide({ client }: Stage): Promise<void> {
  await client.insist('POST', '/rules', { effect: 'deny', rule: 'Bash(rm -r kept)' });
  const taken = { effect: 'allow', rule: 'Bash(taken back)' };
  const { rule } = await client.insist<{ rule: { id: string } }>('POST', '/rules', taken);
  await remove(client, `/rules/${rule.id}`);
  const wish = { name: 'tablet', scopes: ['read'] };
  await client.insist('POST', '/devices', wish);
  const lost = { ...wish, name: 'lost phone' };
  const { device } = await client.insist<{ device: { id: string } }>('POST', '/devices', lost);
  await remove(client, `/devices/${device.id}`);
}

/** Removed, or removed before its acknowledgement was lost. */
async function remove(client: Stage['client'], path: string): Promise<void> {
  await client.insist('DELETE', path).catch((error: unknown) => {
    if (!(error instanceof BridgeRefusal) || error.status !== 404) throw error;
  });
}

/** Resolves when the long command has begun, or when a crash may have prevented it. */
async function running({ ledger }: Stage): Promise<void> {
  const begun = (): boolean => existsSync(ledger) && readFileSync(ledger, 'utf8').includes('c-dies');
  await waitFor(begun, { what: 'the long command', withinMs: 10_000 }).catch(() => undefined);
}

/** Everything that a person decided holds, once. */
async function checkActs({ kairos, client }: Stage, { logs }: Evidence): Promise<string[]> {
  const problems: string[] = [];
  const demand = (holds: boolean, what: string): unknown => holds || problems.push(what);
  const sessions = await client.insist<readonly Record<string, unknown>[]>('GET', '/sessions');
  const [main] = sessions;
  const { name, mode, brief, paused } = main ?? {};
  demand(sessions.length === 1, `there are ${sessions.length} sessions`);
  demand(
    name === 'main' && mode === 'bypassPermissions' && brief !== true && paused !== true,
    `the session is ${JSON.stringify(main)}`,
  );
  const calls = [...logs.values()].flat().filter(({ type }) => type === 'call.ended');
  const written = calls.filter(({ body }) => body.tool === 'Write');
  demand(
    written.length === largeFiles.length && written.every(({ body }) => body.result.outcome !== 'error'),
    `the large files were written ${JSON.stringify(written.map(({ body }) => body.result))}`,
  );
  const read = calls.filter(({ body }) => body.tool === 'Read');
  demand(read.length === 1 && read[0]?.body.result.images?.length === 1, 'the picture was not read once');
  const rules = JSON.stringify(await client.insist('GET', '/rules'));
  demand(rules.includes('rm -r kept') && !rules.includes('taken back'), `the rules are ${rules}`);
  const trusts = await client.insist<readonly { dir: string; trusted: boolean }[]>('GET', '/trusts');
  const [trust] = trusts;
  demand(
    trusts.length === 1 && trust?.dir === kairos.work && trust.trusted,
    `what was said about the directory is ${JSON.stringify(trusts)}`,
  );
  const asked = [...logs.values()]
    .flat()
    .filter(({ type, body }) => type === 'prompt.opened' && body.kind === 'trust');
  demand(asked.length === 1, `trust was asked for ${asked.length} times`);
  const devices = await client.insist<readonly { name: string; revokedAt?: unknown }[]>('GET', '/devices');
  const names = devices.filter(({ revokedAt }) => revokedAt === null).map((device) => device.name);
  // A device whose token was lost on the way stays until somebody revokes it: at most one of each name.
  const most = (wanted: string, count: number): boolean =>
    names.filter((each) => each === wanted).length <= count;
  demand(
    names.includes('tablet') && most('tablet', 2) && most('lost phone', 1),
    `the devices are ${names.join(', ')}`,
  );
  return [...problems, ...checkSettings(join(kairos.home, 'settings.json'))];
}

/** The file is whole: what was there, and what was set. */
function checkSettings(path: string): string[] {
  const expected = JSON.stringify({ ...settings, models: { default: 'offline' } });
  const text = readFileSync(path, 'utf8');
  try {
    return JSON.stringify(JSON.parse(text)) === expected ? [] : [`settings.json is ${text}`];
  } catch {
    return [`settings.json is broken: ${text}`];
  }
}
