import { createHash } from 'node:crypto';
import type { StopSignal } from '../../../shared/base/ports.ts';
import type { CallResult } from '../../../shared/domain/messages.ts';
import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import type { OpenCall, Prepared, ToolPort } from '../../../electron/worker/agent/ports.ts';
import type { Execution } from './ledgers.ts';
import type { SimTasks } from './sim-tasks.ts';
import type { WorkerPlace } from './worker-place.ts';

/** Lower-case hex SHA-256. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

const hostTools = ['SendUserMessage', 'AskUserQuestion', 'Sleep', 'NoReply'];

/** Tools on a file system that lives as long as the simulation; everything they do is in the ledger. */
export function simTools(place: WorkerPlace, session: string, tasks: SimTasks): ToolPort {
  return {
    prepare: async (call) => {
      if (place.random.chance(0.2)) await place.pause('prepare');
      return prepare(place, call);
    },
    execute: async ({ call, facts }, signal) => {
      const entry: Execution = {
        session,
        call: call.id,
        facts,
        worker: place.life.name,
        daemon: place.daemon.name,
        lastEvent: place.ledgers.lastEvent,
        effects: 0,
      };
      place.ledgers.executions.push(entry);
      await place.point('tool.before');
      const wait = duration(facts);
      if (wait > 0) await place.wait(wait, signal);
      if (signal.aborted) return { outcome: 'interrupted', output: 'stopped' };
      const task = await begunTask(tasks, call.id, facts);
      const result = task ?? act(place, facts, entry);
      if (task?.outcome === 'ok') entry.effects += 1;
      await place.point('tool.effect');
      return result;
    },
  };
}

function prepare(place: WorkerPlace, call: OpenCall): Prepared {
  const input = (call.input ?? {}) as Record<string, unknown>;
  const facts = {
    tool: call.tool,
    input: call.input,
    cwd: '/w',
    paths: [],
    preimages: [],
    description: '',
    subject: '',
    preview: '',
  };
  if (hostTools.includes(call.tool))
    return { kind: 'ready', facts: { ...facts, class: 'local', access: 'person' } };
  if (call.tool === 'Bash') {
    const command = input.command;
    if (typeof command !== 'string') return { kind: 'bad', message: 'Bash: no command' };
    return {
      kind: 'ready',
      facts: { ...facts, class: 'blind', access: 'command', subject: command, preview: command },
    };
  }
  if (call.tool !== 'Read' && call.tool !== 'Write' && call.tool !== 'Edit')
    return { kind: 'bad', message: `no tool ${call.tool}` };
  const path = `/w/${String(input.file_path)}`;
  const content = place.files.get(path);
  const own = { subject: path, paths: [path], preview: `${path}\n${JSON.stringify(input)}` };
  if (call.tool === 'Read')
    return { kind: 'ready', facts: { ...facts, ...own, class: 'pure', access: 'read' } };
  if (call.tool === 'Edit' && !content?.includes(String(input.old_string)))
    return { kind: 'bad', message: `"${path}" has no such text` };
  const preimages = [{ path, sha256: content === undefined ? null : sha256(content) }];
  return { kind: 'ready', facts: { ...facts, ...own, preimages, class: 'blind', access: 'write' } };
}

/** `task <seconds>` goes on in the background. */
async function begunTask(tasks: SimTasks, call: string, facts: CallFacts): Promise<CallResult | null> {
  const seconds = /^task (\d+)$/.exec(facts.subject)?.[1];
  return seconds === undefined ? null : tasks.start(call, facts.subject, Number(seconds) * 1000);
}

function duration(facts: CallFacts): number {
  const match = /^bump \S+ (\d+)$/.exec(facts.subject);
  return match ? Number(match[1]) * 1000 : 0;
}

function act(place: WorkerPlace, facts: CallFacts, entry: Execution): CallResult {
  const input = facts.input as Record<string, unknown>;
  const path = facts.subject;
  const old = place.files.get(path);
  switch (facts.tool) {
    case 'Read':
      entry.effects += 1;
      return old === undefined
        ? { outcome: 'error', output: 'no such file' }
        : { outcome: 'ok', output: old };
    case 'Write':
    case 'Edit': {
      const image = old === undefined ? null : sha256(old);
      if (image !== facts.preimages[0]?.sha256)
        return { outcome: 'error', output: 'changed since it was approved' };
      const next =
        facts.tool === 'Write'
          ? String(input.content)
          : (old ?? '').replace(String(input.old_string), String(input.new_string));
      place.files.set(path, next);
      entry.effects += 1;
      return { outcome: 'ok', output: `wrote ${path}` };
    }
    default:
      entry.effects += 1;
      return facts.subject === 'fail'
        ? { outcome: 'error', output: 'exit code 1' }
        : { outcome: 'ok', output: `did ${facts.subject.slice(0, 40)}` };
  }
}

/** Ends early when `signal` fires. */
export type Waiting = (ms: number, signal: StopSignal) => Promise<void>;
