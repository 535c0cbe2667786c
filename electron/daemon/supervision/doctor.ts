import { statfs } from 'node:fs/promises';
import { formatUsd } from '../../../shared/domain/budget.ts';
import { defaultFromWords } from '../../../shared/domain/models.ts';
import { adviceOf } from '../../../shared/domain/sessions.ts';
import type { SandboxMode } from '../../../shared/domain/sandbox.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import type { DoctorCheck, Problem } from '../../../shared/protocol/bridge.ts';
import type { LoginEnvironment } from '../../node/login-environment.ts';
import { findSandbox, type SandboxState } from '../../node/sandbox-state.ts';
import type { StoreHealth } from '../events/port.ts';
import { damagedStoreCure } from '../events/sqlite/faults.ts';

/** Everything the checks follow from; `running` = sessions that run now. */
export interface DoctorInput {
  readonly home: string;
  readonly problems: readonly Problem[];
  readonly health: StoreHealth | { readonly error: string };
  readonly environment: LoginEnvironment;
  readonly settings: Settings;
  /** What holds for the shells of a new session, by the files as they are now. */
  readonly sandboxMode: SandboxMode;
  /** Settings that the files say otherwise by now than what runs. */
  readonly later: readonly string[];
  /** The model of new sessions and what decided it. */
  readonly model: { readonly ref: string; readonly from: string };
  readonly running: number;
  readonly budget: BudgetFacts;
  /** Sessions that stopped until somebody does something. */
  readonly parked: readonly ParkedSession[];
}

/** A stopped session; `name`: what commands call it by. */
export interface ParkedSession {
  readonly name: string;
  readonly reason: string;
}

/** Money of today and what waits for more, in millionths of a dollar; `most` null: no limit. */
export interface BudgetFacts {
  readonly spent: number;
  readonly most: number | null;
  /** Sessions that a limit stopped. */
  readonly stopped: number;
}

/** Below this much free space a full disk is near. */
const lowDiskBytes = 500 * 1024 * 1024;

/** Everything that doctor knows, each with what to do. */
export async function doctorChecks(input: DoctorInput): Promise<readonly DoctorCheck[]> {
  return [
    { name: 'runtime', state: 'ok', detail: `Node ${process.versions.node}`, next: '' },
    storeCheck(input.health),
    await diskCheck(input.home),
    environmentCheck(input.environment),
    sandboxCheck(await findSandbox(), input.sandboxMode),
    { name: 'model', state: 'ok', detail: modelText(input.model), next: '' },
    budgetCheck(input.budget),
    {
      name: 'sessions',
      state: 'ok',
      detail: `${input.running} of ${input.settings.sessions.capacity} running`,
      next: '',
    },
    ...laterChecks(input.later),
    ...parkedChecks(input.parked),
    ...problemChecks(input.problems),
  ];
}

function laterChecks(later: readonly string[]): readonly DoctorCheck[] {
  if (later.length === 0) return [];
  const detail = `changed since the start, and not in force yet: ${later.join(', ')}`;
  return [{ name: 'settings', state: 'warn', detail, next: 'Put them in force: kairos daemon restart' }];
}

/** More than these are counted only. */
const mostParked = 10;

function parkedChecks(parked: readonly ParkedSession[]): readonly DoctorCheck[] {
  const shown = parked.slice(0, mostParked).map(({ name, reason }): DoctorCheck => {
    const { why, advice } = adviceOf(reason) ?? {
      why: reason,
      advice: `Take it up again with: kairos retry ${name}`,
    };
    return { name: `session ${name}`, state: 'warn', detail: `stopped: ${why}`, next: advice };
  });
  const more = parked.length - shown.length;
  if (more === 0) return shown;
  const sessions = more === 1 ? 'one more session has' : `${more} more sessions have`;
  const rest: DoctorCheck = {
    name: 'stopped sessions',
    state: 'warn',
    detail: `${sessions} stopped`,
    next: 'See: kairos sessions',
  };
  return [...shown, rest];
}

/** What is wrong now, as checks. */
export function problemChecks(problems: readonly Problem[]): readonly DoctorCheck[] {
  return problems.map(({ code, message, next }) => ({
    name: nameOf(code),
    state: 'fail',
    detail: message,
    next,
  }));
}

/** A code that holds a file, a rule or a hook is told by what it is about; the message names the rest. */
function nameOf(code: string): string {
  return /^(?:config|rule):/.test(code) ? 'settings' : (/^hook(?= )/.exec(code)?.[0] ?? code);
}

function modelText({ ref, from }: DoctorInput['model']): string {
  return `${ref === 'offline' ? 'offline engine (built in, free)' : ref}: ${defaultFromWords(from)}`;
}

function budgetCheck({ spent, most, stopped }: BudgetFacts): DoctorCheck {
  const detail = `${formatUsd(spent)} of ${most === null ? 'no limit' : formatUsd(most)} today`;
  if (stopped === 0 && most !== null && spent >= most) {
    const next = 'What costs money stops until midnight, or raise it: kairos usage raise 5';
    return { name: 'budget', state: 'warn', detail: `${detail}; nothing is left`, next };
  }
  if (stopped === 0) return { name: 'budget', state: 'ok', detail, next: '' };
  const sessions = stopped === 1 ? 'one session has' : `${stopped} sessions have`;
  return {
    name: 'budget',
    state: 'warn',
    detail: `${detail}; ${sessions} stopped at a limit`,
    next: 'Each says how to raise its own: kairos sessions',
  };
}

function storeCheck(health: DoctorInput['health']): DoctorCheck {
  if ('error' in health) {
    return {
      name: 'store',
      state: 'fail',
      detail: health.error,
      next: `If the file is damaged, ${damagedStoreCure}`,
    };
  }
  const size = `${sizeText(health.databaseBytes)}, WAL ${sizeText(health.walBytes)}, schema ${health.schema}`;
  if (health.full)
    return {
      name: 'store',
      state: 'fail',
      detail: `The disk is full (${size}).`,
      next: 'Free some space; Kairos goes on by itself.',
    };
  return { name: 'store', state: 'ok', detail: size, next: '' };
}

async function diskCheck(home: string): Promise<DoctorCheck> {
  const { bavail, bsize } = await statfs(home);
  const free = bavail * bsize;
  const detail = `${sizeText(free)} free`;
  if (free >= lowDiskBytes) return { name: 'disk', state: 'ok', detail, next: '' };
  return {
    name: 'disk',
    state: 'warn',
    detail,
    next: 'Free some space: at zero nothing more can be stored.',
  };
}

function environmentCheck(environment: LoginEnvironment): DoctorCheck {
  if (environment.source === 'login-shell') {
    return { name: 'environment', state: 'ok', detail: `read from ${environment.shell}`, next: '' };
  }
  const reason = environment.reason ?? 'no login shell';
  return {
    name: 'environment',
    state: 'warn',
    detail: `The login shell could not be asked: ${reason}. Tools get the daemon's own environment.`,
    next: `${environment.mend ?? 'Set SHELL to your shell'}, then: kairos daemon restart`,
  };
}

/** A sandbox that is missing matters where settings ask for one; `required` then stops every command. */
export function sandboxCheck(state: SandboxState, mode: SandboxMode): DoctorCheck {
  const name = 'sandbox';
  if (state.kind === 'missing') {
    if (mode === 'off')
      return { name, state: 'ok', detail: `off, and there is none: ${state.why}`, next: '' };
    const what = mode === 'required' ? 'no command can run' : 'every command asks';
    const check = { name, detail: `${state.why} sandbox.mode is ${mode}: ${what}.`, next: state.next };
    return { ...check, state: mode === 'required' ? 'fail' : 'warn' };
  }
  if (state.by === 'bubblewrap' && state.socat === null && mode !== 'off') {
    const detail = `${mode}, without a way to the network: socat is not installed`;
    return {
      name,
      state: 'warn',
      detail,
      next: 'Install it for sandbox.network.allow: apt-get install socat',
    };
  }
  const detail = `${mode === 'off' ? 'off, can be switched on' : mode}: ${state.by === 'bubblewrap' ? 'bubblewrap' : 'sandbox-exec'} works`;
  return { name, state: 'ok', detail, next: '' };
}

const megabyte = 1024 * 1024;

/** `12.5 MB`, from 1024 MB on `1.0 GB`. */
function sizeText(bytes: number): string {
  const [unit, name] = bytes < 1024 * megabyte ? [megabyte, 'MB'] : [1024 * megabyte, 'GB'];
  return `${(bytes / unit).toFixed(1)} ${name}`;
}
