// Records the home of this release for test/replay: node test/replay/record.ts <version>. Never record an old version again.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSqliteStore } from '../../electron/daemon/events/sqlite/open.ts';
import {
  allow,
  ask,
  begin,
  beginCall,
  by,
  callParts,
  chat,
  endCall,
  newSession,
  reply,
  requested,
  say,
  send,
  stranger,
  terms,
  textPart,
} from '../store/support/acts.ts';
import { createTestClock, createTestIds } from '../store/support/clock-ids.ts';
import { filesIn } from '../store/support/folder.ts';
import { lookAt } from './look.ts';

const [version = ''] = process.argv.slice(2);
const folder = fileURLToPath(new URL(`fixtures/${version}`, import.meta.url));
await mkdir(dirname(folder), { recursive: true });
await mkdir(folder);
const clock = createTestClock();
const store = await openSqliteStore({ home: filesIn(folder), clock, ids: createTestIds() });

// A finished conversation with everything that can be in a log.
const work = await newSession(store, { name: 'work' });
await store.pinFrame(work, 'the frame of the recorded release');
await say(store, work, 'run it', { message: 'uuid-1' });
await say(store, work, 'a long one '.repeat(8000), { kind: 'channel', origin: stranger, route: chat });
const step = await begin(store, work);
const thinking = { type: 'thinking', text: 'hm', provider: 'p', signature: 's' } as const;
await reply(store, work, step.id, [
  thinking,
  ...callParts(['c1', 'Bash'], ['c2', 'Read'], ['c3', 'SendUserMessage']),
]);
const asked = await ask(store, work, step.id, 'c1');
await store.recordOffer({ prompt: asked.prompt, surface: 'cli', shown: 2, externalId: null });
await store.claimPrompt({ code: asked.code, verdict: { ...allow, scope: 'always' }, by });
await beginCall(store, work, step.id, 'c1', { do: 'grant' });
await store.workerLost(work, true);
await beginCall(store, work, step.id, 'c2', { do: 'grant' }, { facts: { class: 'pure' } });
await endCall(store, work, 'c2');
const sent = await beginCall(store, work, step.id, 'c3', send('hello', { routes: [chat] }));
const nudge = await reply(store, work, requested(sent.kind === 'ended' ? sent.next : null).id, [
  textPart('bye'),
]);
await reply(store, work, requested(nudge).id, [textPart('bye')]);
const [first, second] = await store.openEffects();
await store.startEffect(first?.id ?? '');
await store.finishEffect({ effect: first?.id ?? '', state: 'done', externalId: 'tg-1' });
await store
  .finishEffect({ effect: second?.id ?? 'none', state: 'uncertain', reason: 'died' })
  .catch(() => null);
await store.setMode(work, 'bypassPermissions');
await store.setPaused(work, true);
await store.setPaused(work, false);
await store.renameSession(work, 'renamed');

// One in each unfinished state: asks, sleeps, is parked, has a running call, waits for a step.
for (const [name, plan] of [
  ['asks', 'ask'],
  ['sleeps', 'sleep'],
  ['runs', 'grant'],
] as const) {
  const id = await newSession(store, { name });
  await say(store, id, name);
  const open = await begin(store, id);
  await reply(store, id, open.id, callParts([`${name}1`, 'Bash']));
  if (plan === 'ask') await ask(store, id, open.id, `${name}1`, { lifeMs: 1e12 });
  else if (plan === 'sleep')
    await beginCall(store, id, open.id, `${name}1`, { do: 'sleep', until: clock.now() + 60_000 });
  else await beginCall(store, id, open.id, `${name}1`, { do: 'grant' });
}
const parked = await newSession(store, { name: 'parked' });
await say(store, parked, 'x');
await begin(store, parked, terms);
await store.park(parked, 'model', 'no key.');
await say(store, await newSession(store, { name: 'waits' }), 'hello');
const stopped = await newSession(store, { name: 'stopped' });
await say(store, stopped, 'x');
await begin(store, stopped);
await store.interrupt(stopped, 'stop');
await store.archive(stopped);
const phone = await store.addDevice({
  name: 'phone',
  scopes: ['read', 'approve'],
  tokenHash: 'hash',
  madeBy: null,
  window: false,
});
await store.addDevice({
  name: 'window',
  scopes: ['read'],
  tokenHash: 'hash2',
  madeBy: phone.id,
  window: true,
});
await store.setMeta('key', 'value');

await writeFile(join(folder, 'expected.json'), `${JSON.stringify(await lookAt(store), null, 1)}\n`);
await store.close();
