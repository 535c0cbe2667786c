import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callDigest } from '../../../electron/daemon/sessions/call-planner.ts';
import { createAgentLoop } from '../../../electron/worker/agent/agent-loop.ts';
import type { ToolPort } from '../../../electron/worker/agent/ports.ts';
import { findTools } from '../../../electron/worker/frame/find-tools.ts';
import { useTool } from '../../../electron/worker/frame/use-tool.ts';
import type { HookPort } from '../../../electron/worker/agent/hook-port.ts';
import { callPart } from '../../../electron/worker/model/answer/call-part.ts';
import { createSessionTools } from '../../../electron/worker/tools/session-tools.ts';
import { defineTool, ok } from '../../../electron/worker/tools/tool.ts';
import { allTools } from '../../../electron/worker/tools/tool-table.ts';
import { canonicalJson, isObject } from '../../../shared/base/json.ts';
import { noOutcome } from '../../../shared/domain/hooks/combine.ts';
import type { Reply } from '../../../shared/domain/messages.ts';
import type { StoredEvent } from '../../../shared/domain/events.ts';
import { parseRule } from '../../../shared/domain/permissions/rules.ts';
import { type PermissionMode, permissionModeSchema } from '../../../shared/domain/sessions.ts';
import { RunnerWorld } from '../../conformance/runner-world.ts';
import { fixedFrames, sampleFrame } from '../../support/sample-frame.ts';
import { fakeModel } from '../../worker/support/fakes.ts';
import { type ToolBench, toolBench } from '../../worker/support/tool-bench.ts';

let bench: ToolBench;
beforeEach(async () => {
  bench = await toolBench();
});
afterEach(() => bench.remove());

/** A tool of an MCP server, which does something elsewhere. */
const remote = defineTool({
  name: 'mcp__tracker__create_issue',
  description: 'Creates an issue.',
  schema: z.object({ title: z.string() }),
  class: 'blind',
  access: 'network',
  look: async ({ title }, { dir }) => ({
    cwd: dir,
    subject: title,
    paths: [],
    preimages: [],
    preview: title,
    description: '',
  }),
  act: async () => ok('created'),
});
const tools = [...allTools, remote, findTools([]), useTool(allTools.map(({ name }) => name))];

/** Inputs that tools take, that they nearly take, and that they do not. */
const values = fc.oneof(
  fc.constantFrom(
    'a.txt',
    'b.txt',
    '../x',
    '/etc/hosts',
    '.mcp.json',
    'old',
    'new',
    '*.txt',
    'ls',
    'rm a.txt',
  ),
  fc.constantFrom('echo x > a.txt', 'kairos stop', 'sleep 9 & wait', 'https://example.com/x', 'one', ''),
  fc.boolean(),
  fc.integer({ min: -1, max: 3 }),
  fc.constant(null),
);
const names =
  'file_path content old_string new_string replace_all command timeout run_in_background description pattern path output_mode offset url title query message question options todos id task seconds reason status'.split(
    ' ',
  );
const likely = fc.record({
  file_path: fc.constantFrom('a.txt', 'b.txt', 'sub/c.txt', '.git/config', '/srv/x', '~/.bashrc'),
  path: fc.constantFrom('.', 'sub', 'a.txt'),
  pattern: fc.constantFrom('*.txt', 'o.d', '**'),
  content: fc.constantFrom('new', 'old'),
  old_string: fc.constantFrom('old', 'none'),
  new_string: fc.constantFrom('new', 'newer'),
  command: fc.constantFrom(
    'ls',
    'cat a.txt',
    'ls; rm a.txt',
    'echo x > b.txt',
    'kai""ros stop',
    'x=$(ls) && $x',
    'if',
  ),
  run_in_background: fc.boolean(),
  url: fc.constantFrom('https://example.com/a', 'http://127.0.0.1/'),
  title: fc.constantFrom('bug', 'idea'),
  query: fc.constantFrom('select:Bash', 'files'),
  message: fc.constantFrom('hello', 'done'),
  todos: fc.constantFrom([], [{ content: 'look', status: 'pending' }]),
  edits: fc.constant([{ old_string: 'old', new_string: 'new' }]),
});
const inputs = fc.oneof(
  { weight: 4, arbitrary: likely },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...names), values) },
  { weight: 1, arbitrary: fc.constantFrom('{"broken', null, []) },
);
const toolNames = fc.constantFrom(
  ...tools.map(({ name }) => name),
  'mcp__tracker__delete',
  'Unknown',
  'bash',
  '',
);
const calls = fc.array(
  fc.record({ tool: toolNames, input: inputs, inside: fc.boolean() }).map(({ tool, input, inside }) => ({
    tool: inside ? 'UseTool' : tool,
    input: inside ? { name: tool, input } : input,
  })),
  { minLength: 2, maxLength: 6 },
);
const ruleTexts = fc.subarray(
  [
    'allow Bash(ls:*)',
    'allow Bash',
    'allow Edit(sub/**)',
    'allow *',
    'allow mcp__tracker',
    'ask Read(a.txt)',
    'ask Bash(cat:*)',
    'deny Edit(b.txt)',
    'deny WebFetch(domain:example.com)',
    'deny mcp__tracker__create_issue',
  ],
  { maxLength: 2 },
);
/** What happens while a person is asked. */
const meanwhile = fc.constantFrom('allow', 'deny', 'change file', 'change mode', 'allow', 'restart');

/** What a hook that rewrites puts in place of what a call has. */
const rewrite = {
  command: 'cat b.txt',
  content: 'rewritten',
  title: 'rewritten',
  message: 'rewritten',
  todos: [{ content: 'rewritten', status: 'completed' }],
};

/** Hooks of which one may rewrite the input of every call. */
function hooksThat(rewriteInputs: boolean): HookPort {
  return {
    version: 'one',
    begins: 'resume',
    fire: async (occasion) => {
      if (!rewriteInputs || occasion.event !== 'PreToolUse') return noOutcome;
      return { ...noOutcome, input: { value: rewritten(occasion.input), by: 'the rewriter' } };
    },
  };
}

function rewritten(input: unknown): unknown {
  if (!isObject(input)) return input;
  const own = Object.entries(rewrite).filter(([name]) => name in input);
  return { ...input, ...Object.fromEntries(own) };
}

interface Started {
  readonly input: unknown;
  readonly call: string;
  readonly tool: string;
  readonly digest: string;
  readonly decision: { readonly digest: string; readonly behavior: string; readonly input: unknown } | 'none';
}

const owner = { surface: 'cli', principal: 'owner', at: 0 };
const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
const never = new AbortController().signal;

/** The real tools, which look for themselves; what is started is held against the log and then not done. */
function watched(world: RunnerWorld, started: Started[]): ToolPort {
  const real = createSessionTools(tools, bench.context);
  return {
    prepare: (call) => real.prepare(call),
    async execute({ call, facts }) {
      const mode = (await world.store.session(world.session))?.mode ?? 'default';
      const events = await world.events('call.began');
      const own = events.flatMap((event) =>
        event.type === 'call.began' && event.body.call === call.id ? [event] : [],
      );
      const [began] = own.length === 1 ? own : [];
      started.push({
        call: call.id,
        tool: facts.tool,
        input: facts.input,
        digest: callDigest(facts, mode, sha256),
        decision: began
          ? {
              digest: began.body.digest,
              behavior: began.body.decision.behavior,
              input: began.body.input,
            }
          : 'none',
      });
      return ok('done');
    },
  };
}

/** Runs the session until nothing is open, with a person who answers. */
async function runWhole(world: RunnerWorld, happens: readonly string[]): Promise<void> {
  for (const what of [...happens, 'allow', 'allow', 'allow', 'allow', 'allow', 'allow']) {
    await world.run({ stop: never });
    const [prompt] = await world.store.prompts({ state: 'open', session: world.session, limit: 1 });
    if (prompt === undefined) return;
    if (what === 'change file') writeFileSync(join(bench.dir, 'a.txt'), `old, changed at ${happens.length}`);
    if (what === 'change mode') await world.store.setMode(world.session, 'acceptEdits');
    if (what === 'restart') continue;
    const verdict =
      what === 'deny'
        ? ({ behavior: 'deny' } as const)
        : prompt.kind === 'approval'
          ? ({ behavior: 'allow', scope: 'once' } as const)
          : ({ behavior: 'answer', text: 'x' } as const);
    await world.store.claimPrompt({ code: prompt.code, verdict, by: owner });
  }
}

/** Calls that were begun although nobody allowed them, or twice. */
function wrongBegins(events: readonly StoredEvent[]): readonly string[] {
  const began = events.flatMap((event) => (event.type === 'call.began' ? [event.body] : []));
  const twice = began.filter(({ call }, at) => began.findIndex((other) => other.call === call) !== at);
  const unasked = began.filter(({ decision }) => decision.behavior !== 'allow');
  return [...twice, ...unasked].map(({ call, tool }) => `${tool} ${call}`);
}

/** What the daemon did itself without a stored decision on exactly that. */
async function wrongHostActs(world: RunnerWorld, events: readonly StoredEvent[]): Promise<readonly string[]> {
  const wrong: string[] = [];
  let mode: PermissionMode = 'default';
  const began = new Map<string, { readonly input: unknown; readonly isRight: boolean }>();
  for (const event of events) {
    if (event.type === 'session.created' || event.type === 'session.mode_set') mode = event.body.mode;
    if (event.type === 'call.began') {
      const { call, tool, decision, digest } = event.body;
      // A file goes without words where it has no caption.
      const input =
        tool === 'send_user_file' && isObject(event.body.input)
          ? { message: event.body.input.caption ?? '' }
          : event.body.input;
      const facts = (await world.store.effect(call))?.facts;
      const isRight = facts !== null && facts !== undefined && digest === callDigest(facts, mode, sha256);
      began.set(call, { input, isRight: isRight && decision.behavior === 'allow' });
    }
    const act = hostAct(event);
    if (act === null) continue;
    const decided = began.get(act.call);
    const meant = isObject(decided?.input) ? canonicalJson(decided.input[act.member]) : 'nothing';
    if (decided?.isRight !== true || meant !== act.done)
      wrong.push(`${act.member} of ${act.call}: ${act.done}`);
  }
  return wrong;
}

interface HostAct {
  readonly call: string;
  /** The member of the call's input that it carries out. */
  readonly member: 'message' | 'todos';
  readonly done: string;
}

function hostAct(event: StoredEvent): HostAct | null {
  if (event.type === 'todos.set') {
    const todos = event.body.todos.map(({ text, state }) => ({ content: text, status: state }));
    return { call: event.body.call, member: 'todos', done: canonicalJson(todos) };
  }
  if (event.type !== 'message.sent' || event.body.source !== 'tool' || event.body.call === null) return null;
  return { call: event.body.call, member: 'message', done: canonicalJson(event.body.text) };
}

interface Case {
  readonly rewrites: boolean;
  readonly asked: readonly { readonly tool: string; readonly input: unknown }[];
  readonly rules: readonly string[];
  readonly mode: PermissionMode;
  readonly happens: readonly string[];
}

const cases: fc.Arbitrary<Case> = fc.record({
  asked: calls,
  rewrites: fc.boolean(),
  rules: ruleTexts,
  mode: fc.oneof(
    { weight: 3, arbitrary: fc.constant('default') },
    fc.constantFrom(...permissionModeSchema.options),
  ),
  happens: fc.array(meanwhile, { maxLength: 4 }),
}) as fc.Arbitrary<Case>;

/** A world whose model asks for these calls in one reply and has nothing to say after it. */
async function worldOf({ asked, rules, mode, rewrites }: Case, started: Started[]): Promise<RunnerWorld> {
  mkdirSync(join(bench.dir, 'sub'), { recursive: true });
  for (const name of ['a.txt', 'b.txt', 'sub/c.txt']) writeFileSync(join(bench.dir, name), 'old');
  const parts = asked.map(({ tool, input }, at) => callPart(`cal_${at}`, tool, input));
  const done: Reply = { model: 'm', stop: 'end', parts: [{ type: 'text', text: 'done' }] };
  const { model } = fakeModel([{ model: 'm', stop: 'calls', parts }, ...Array<Reply>(8).fill(done)]);
  const hooks = hooksThat(rewrites);
  const world = new RunnerWorld((_tools, own) =>
    createAgentLoop({
      model,
      tools: watched(own, started),
      frames: fixedFrames(sampleFrame('frame')),
      hooks,
    }),
  );
  const fixed = {
    name: null,
    kind: 'interactive',
    workerType: 'kairos',
    parent: null,
    model: 'offline',
  } as const;
  world.session = (await world.store.createSession({ ...fixed, dir: bench.dir, mode })).id;
  for (const text of rules) {
    const [, effect = '', rest = ''] = /^(\S+) (.*)$/.exec(text) ?? [];
    const { rule } = parseRule(effect as 'allow', rest);
    if (rule) await world.store.addRule({ ...rule, session: null, by: owner });
  }
  await world.say('do it');
  return world;
}

test('no tool starts and the daemon does nothing itself, whatever name, input and hooks a call has, without a stored decision on exactly that', async () => {
  const tools = new Set<string>();
  const acts = new Set<string>();
  let prompts = 0;
  const property = fc.asyncProperty(cases, async (each) => {
    const started: Started[] = [];
    const world = await worldOf(each, started);
    await runWhole(world, each.happens);
    const events = await world.events();
    expect([
      started.filter(
        ({ digest, decision }) =>
          decision === 'none' || decision.behavior !== 'allow' || decision.digest !== digest,
      ),
      started.filter(({ input, decision }) => {
        const meant = each.rewrites ? rewritten(input) : input;
        return decision === 'none' || canonicalJson(decision.input) !== canonicalJson(meant);
      }),
      await wrongHostActs(world, events),
      wrongBegins(events),
      new Set(started.map(({ call }) => call)).size,
    ]).toEqual([[], [], [], [], started.length]);
    prompts += events.filter(({ type }) => type === 'prompt.opened').length;
    for (const { tool } of started) tools.add(tool);
    for (const event of events) {
      const act = hostAct(event);
      if (act !== null)
        acts.add(`${act.member}, ${act.done.includes('rewritten') ? 'rewritten' : 'as asked'}`);
    }
  });
  await fc.assert(property, { numRuns: 80, seed: 4 });
  // The property says something: every kind of tool was started in some run, and people were asked.
  const kinds = ['Bash', 'Edit', 'Grep', 'Read', 'WebFetch', 'Write', 'mcp__tracker__create_issue'];
  expect([prompts > 30, [...tools].toSorted(), [...acts].toSorted()]).toEqual([
    true,
    expect.arrayContaining(kinds),
    ['message, as asked', 'message, rewritten', 'todos, as asked', 'todos, rewritten'],
  ]);
}, 60_000);
