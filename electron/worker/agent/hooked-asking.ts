import type { StopSignal } from '../../../shared/base/ports.ts';
import { oneLine } from '../../../shared/base/visible-text.ts';
import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import type { OpenCall, SessionPort } from './ports.ts';
import { anySignal } from './any-signal.ts';
import type { Work } from './work.ts';

/**
 * People are being asked about a call under `code`: its PermissionRequest hooks may answer too, once, and Notification hooks hear
 * of it. The first verdict wins: as soon as something changes for the session the hooks are ended.
 */
export async function hooksWhileAsking(
  work: Work,
  call: OpenCall,
  asking: { readonly code: string; readonly facts: CallFacts },
  stop: StopSignal,
): Promise<void> {
  const { hooks, port, askedCodes } = work;
  const { code, facts } = asking;
  const before = askedCodes.get(code);
  if (before === 'done') return;
  askedCodes.set(code, 'done');
  const isQuestion = facts.class === 'local';
  const { tool, input } = facts;
  const message = oneLine(isQuestion ? facts.preview : `${tool}: ${facts.subject}`, 200);
  const kind = isQuestion ? 'question' : 'permission_prompt';
  const change = untilChange(port);
  const until = anySignal(stop, port.interrupt, change.signal);
  try {
    const [outcome] = await Promise.all([
      isQuestion ? null : hooks.fire({ event: 'PermissionRequest', tool, input, call: call.id }, until),
      // Nobody is told twice of the same question.
      before === 'cut' ? null : hooks.fire({ event: 'Notification', kind, message }, until),
    ]);
    // The call is planned again; where it still waits under this code, those hooks have their say then.
    if (outcome === 'cut') askedCodes.set(code, 'cut');
    const verdict = outcome === null || outcome === 'cut' ? null : outcome.verdict;
    if (verdict?.behavior !== 'allow' && verdict?.behavior !== 'deny') return;
    const { behavior, reason, rule } = verdict;
    await port.ask('hookVerdict', { call: call.id, code, behavior, reason, rule });
  } finally {
    change.end();
  }
}

/** A signal that fires at the next change for the session: a call that waits hears of nothing but its verdict. */
function untilChange(port: SessionPort): { readonly signal: StopSignal; end(): void } {
  const listeners = new Set<() => void>();
  const state = { aborted: false };
  const end = port.onChange(() => {
    state.aborted = true;
    for (const listener of listeners) listener();
  });
  const signal: StopSignal = {
    get aborted() {
      return state.aborted;
    },
    addEventListener: (_type, listener) => void listeners.add(listener),
    removeEventListener: (_type, listener) => void listeners.delete(listener),
  };
  return { signal, end };
}
