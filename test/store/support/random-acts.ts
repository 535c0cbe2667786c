import fc from 'fast-check';
import type { CallPlan, Store } from '../../../electron/daemon/events/port.ts';
import type { ReplyPart } from '../../../shared/domain/messages.ts';
import type { Rig } from '../../conformance/store-rig.ts';
import {
  allow,
  beginCall,
  by,
  chat,
  owner,
  question,
  stranger,
  terms,
  textPart,
  usage,
  viewers,
} from './acts.ts';

/** One thing that happens; numbers pick among what is possible then. */
export type Act =
  | {
      readonly act: 'say';
      readonly session: number;
      readonly kind: number;
      readonly mode: number;
      readonly key: number;
    }
  | { readonly act: 'next' | 'interrupt' | 'lost' | 'park' | 'unpark'; readonly session: number }
  | { readonly act: 'pause'; readonly session: number; readonly on: boolean }
  | { readonly act: 'reply'; readonly session: number; readonly calls: number; readonly text: string }
  | {
      readonly act: 'begin';
      readonly session: number;
      readonly plan: number;
      readonly call: number;
      readonly pure: boolean;
    }
  | { readonly act: 'end'; readonly session: number; readonly call: number; readonly ok: boolean }
  | { readonly act: 'claim'; readonly prompt: number; readonly allow: boolean }
  | { readonly act: 'deliver'; readonly end: number }
  | { readonly act: 'wait'; readonly ms: number }
  | { readonly act: 'crash' };

const session = fc.nat(1);
const small = fc.nat(3);
const actOf = <Name extends string, Rest extends object>(
  act: Name,
  rest: { [Key in keyof Rest]: fc.Arbitrary<Rest[Key]> },
) => fc.record({ act: fc.constant(act), ...rest }) as unknown as fc.Arbitrary<{ act: Name } & Rest>;

const next = { weight: 16, arbitrary: actOf('next', { session }) };

/** Acts in the proportions in which they lead somewhere. */
export const anyAct: fc.Arbitrary<Act> = fc.oneof(
  next,
  { weight: 5, arbitrary: actOf('say', { session, kind: small, mode: fc.nat(4), key: fc.nat(30) }) },
  {
    weight: 8,
    arbitrary: actOf('reply', { session, calls: fc.nat(2), text: fc.constantFrom('', 'one', 'two') }),
  },
  {
    weight: 18,
    arbitrary: actOf('begin', { session, plan: fc.nat(5), call: fc.nat(1), pure: fc.boolean() }),
  },
  { weight: 9, arbitrary: actOf('end', { session, call: fc.nat(1), ok: fc.boolean() }) },
  { weight: 8, arbitrary: actOf('claim', { prompt: small, allow: fc.boolean() }) },
  { weight: 2, arbitrary: actOf('deliver', { end: small }) },
  { weight: 3, arbitrary: actOf('wait', { ms: fc.constantFrom(1, 500, 30_000, 90_000, -5000) }) },
  { weight: 1, arbitrary: actOf('lost', { session }) },
  { weight: 2, arbitrary: actOf('crash', {}) },
  { weight: 1, arbitrary: actOf('interrupt', { session }) },
  { weight: 1, arbitrary: actOf('park', { session }) },
  { weight: 4, arbitrary: actOf('unpark', { session }) },
  { weight: 2, arbitrary: actOf('pause', { session, on: fc.constantFrom(true, false, false) }) },
);

const pick = <Item>(items: readonly Item[], index: number): Item | undefined =>
  items[index % Math.max(1, items.length)];

/** Does it on one store; what comes back says everything that could be seen of it. */
export async function perform(rig: Rig, sessions: readonly string[], act: Act, n: number): Promise<unknown> {
  const { store } = rig;
  const id = ('session' in act ? sessions[act.session] : sessions[0]) ?? '';
  switch (act.act) {
    case 'say':
      return say(store, id, act);
    case 'next':
      return store.nextStep(id, terms);
    case 'interrupt':
      return store.interrupt(id, 'stop');
    case 'lost':
      return store.workerLost(id, true);
    case 'park':
      return store.park(id, 'test', 'for a test.');
    case 'unpark':
      return store.unpark(id);
    case 'pause':
      return store.setPaused(id, act.on);
    case 'reply':
      return reply(store, id, act, n);
    case 'begin':
      return begin(rig, id, act);
    case 'end':
      return end(store, id, act);
    case 'claim':
      return claim(store, act);
    case 'deliver':
      return deliver(store, act.end);
    case 'wait':
      rig.clock.advance(act.ms);
      return [await store.expirePrompts(), await store.runnable(), await store.nextDue()];
    case 'crash':
      return (await rig.crash()).recoverAll();
    default:
      throw new Error('unknown act');
  }
}

function say(store: Store, id: string, act: Extract<Act, { act: 'say' }>): Promise<unknown> {
  const kind = pick(['person', 'channel', 'tick', 'person'] as const, act.kind) ?? 'person';
  return store.admitWake({
    session: id,
    kind,
    mode:
      pick(['next_step', 'after_turn', 'next_step', 'after_turn', 'replace'] as const, act.mode) ??
      'next_step',
    origin: kind === 'channel' ? stranger : owner,
    route: kind === 'channel' ? chat : viewers,
    dedupeKey: `k${act.key}`,
    text: `text ${act.key}`,
  });
}

async function reply(
  store: Store,
  id: string,
  act: Extract<Act, { act: 'reply' }>,
  n: number,
): Promise<unknown> {
  const step = (await store.session(id))?.step?.id ?? 'stp_none';
  const parts: ReplyPart[] = act.text === '' ? [] : [textPart(act.text)];
  for (let call = 0; call < act.calls; call += 1)
    parts.push({ type: 'call', id: `c${n}.${call}`, tool: 'T', input: {} });
  return store.recordReply({ session: id, step, reply: { model: 'm', parts, stop: 'end' }, usage, terms });
}

function planOf(rig: Rig, number: number): CallPlan {
  const plans: CallPlan[] = [
    { do: 'grant' },
    { do: 'ask', prompt: question },
    { do: 'sleep', until: rig.clock.now() + 60_000 },
    { do: 'end', result: { outcome: 'denied', output: 'no' } },
    {
      do: 'send',
      message: { text: 'hi', status: 'normal', inReplyTo: null, routes: [viewers] },
      result: { outcome: 'ok', output: '' },
    },
    {
      do: 'send',
      message: { text: 'yo', status: 'normal', inReplyTo: null, routes: [chat] },
      result: { outcome: 'ok', output: '' },
    },
  ];
  return pick(plans, number) ?? { do: 'grant' };
}

async function begin(rig: Rig, id: string, act: Extract<Act, { act: 'begin' }>): Promise<unknown> {
  const step = (await rig.store.session(id))?.step;
  const call = pick(step?.calls ?? [], act.call) ?? 'none';
  const facts = { class: act.pure ? ('pure' as const) : ('blind' as const) };
  return beginCall(rig.store, id, step?.id ?? 'none', call, planOf(rig, act.plan), { facts });
}

async function end(store: Store, id: string, act: Extract<Act, { act: 'end' }>): Promise<unknown> {
  const step = (await store.session(id))?.step;
  const call = pick(step?.calls ?? [], act.call) ?? 'none';
  const result = { outcome: act.ok ? ('ok' as const) : ('error' as const), output: 'out' };
  return store.endCall({ session: id, call, result, terms });
}

async function claim(store: Store, act: Extract<Act, { act: 'claim' }>): Promise<unknown> {
  const prompt = pick(await store.prompts({ limit: 4 }), act.prompt);
  const verdict = act.allow ? ({ ...allow, scope: 'always' } as const) : ({ behavior: 'deny' } as const);
  return store.claimPrompt({ code: prompt?.code ?? 'zzzzz', verdict, by });
}

async function deliver(store: Store, how: number): Promise<unknown> {
  const effect = (await store.openEffects())[0]?.id ?? 'none';
  if (how === 0) return store.startEffect(effect);
  const ends = [
    { state: 'done', externalId: 'x' },
    { state: 'failed' },
    { state: 'planned', notBefore: 5 },
  ] as const;
  return store.finishEffect({ effect, ...(pick(ends, how) ?? { state: 'failed' }) });
}
