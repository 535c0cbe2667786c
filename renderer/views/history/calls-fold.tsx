import { type ReactNode, useState } from 'react';
import type { CallItem, CallsItem } from '../../../shared/session/session-view-items.ts';
import { clockText } from '../../text/time-text.ts';
import type { WindowText } from '../../text/window-text.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { useText, useViewMemory } from '../../ui/window-context.tsx';
import { callSubject } from '../../../shared/viewing/call-subject.ts';
import { CallBody } from './call-body.tsx';
import { isFailed, shownCalls } from '../../../shared/viewing/visible-items.ts';

/** All calls of a turn in one folded line; a call that failed, and the only call there is, show their line at once. */
export function CallsFold(props: {
  readonly session: string;
  readonly item: CallsItem;
  readonly isDetailed: boolean;
}): ReactNode {
  const { session, item, isDetailed } = props;
  const text = useText();
  const calls = shownCalls(item.calls, isDetailed);
  const failed = calls.filter(isFailed).length;
  const [isOpen, setOpen] = useFold(`calls-${item.turn}`, failed > 0 || isDetailed);
  if (calls.length === 0) return null;
  if (calls.length === 1)
    return (
      <div className="calls">
        {calls.map((call) => (
          <CallRow key={call.call} session={session} call={call} />
        ))}
      </div>
    );
  return (
    <div className="calls">
      <button type="button" className="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? 'down' : 'right'} />
        {text.calls.fold(calls.length, failed)}
      </button>
      {isOpen ? calls.map((call) => <CallRow key={call.call} session={session} call={call} />) : null}
    </div>
  );
}

/** A fold's state: as left by hand, else as it should be by itself. */
function useFold(key: string, byItself: boolean): [isOpen: boolean, set: (isOpen: boolean) => void] {
  const memory = useViewMemory();
  const [byHand, setByHand] = useState(() => memory.fold(key));
  const set = (isOpen: boolean): void => {
    memory.keepFold(key, isOpen);
    setByHand(isOpen);
  };
  return [byHand ?? byItself, set];
}

const icons: Readonly<Record<CallItem['state'], { icon: IconName; tone: string }>> = {
  running: { icon: 'working', tone: 'accent' },
  asking: { icon: 'asking', tone: 'asking' },
  sleeping: { icon: 'sleeping', tone: 'muted' },
  ok: { icon: 'check', tone: 'muted' },
  error: { icon: 'problem', tone: 'danger' },
  denied: { icon: 'cross', tone: 'danger' },
  unknown: { icon: 'question', tone: 'asking' },
  interrupted: { icon: 'stop', tone: 'muted' },
};

/** One call: what ran and how it ended; opened, the whole command and the head of its result. */
function CallRow({ session, call }: { session: string; call: CallItem }): ReactNode {
  const text = useText();
  const [isOpen, setOpen] = useFold(call.call, isFailed(call));
  const { icon, tone } = icons[call.state];
  const state = stateText(text, call);
  return (
    <div className="call">
      <button type="button" className="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name={icon} tone={tone} label={state} />
        <span className="call-tool">{call.tool}</span>
        <code className="call-subject">{callSubject(call.input)}</code>
        {call.state === 'ok' ? null : <span className={`call-state tone-${tone}`}>{state}</span>}
      </button>
      {isOpen ? <CallBody session={session} call={call} /> : null}
    </div>
  );
}

/** The state in words; a call that waits for an alarm says until when. */
function stateText(text: WindowText, { state, until }: CallItem): string {
  return state === 'sleeping' && until !== null
    ? text.calls.until(clockText(text, until))
    : text.calls.states[state];
}
