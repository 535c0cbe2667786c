import type { ReactNode } from 'react';
import type { TurnEndItem, TurnItem } from '../../../shared/session/session-view-items.ts';
import { clockText, durationText, moneyText } from '../../text/time-text.ts';
import { useText } from '../../ui/window-context.tsx';

/** Why the session woke. */
export function TurnBegin({ item }: { item: TurnItem }): ReactNode {
  const text = useText();
  return <p className="line">{text.turn.woke(clockText(text, item.at), text.turn.causes[item.cause])}</p>;
}

/** The end of a turn: what it took, and how it ended where that is not "done". */
export function TurnEnd(props: {
  readonly item: TurnEndItem;
  readonly turn: TurnItem | null;
  readonly isDetailed: boolean;
}): ReactNode {
  const { item, turn, isDetailed } = props;
  const text = useText();
  const ended = item.outcome === 'done' ? null : text.turn[item.outcome];
  const summary =
    turn === null
      ? null
      : text.turn.summary({
          seconds: durationText(text, item.at - turn.at, true),
          calls: turn.calls,
          cost: turn.microUsd === 0 && turn.tokens === 0 ? null : moneyText(turn.microUsd),
          tokens: isDetailed ? turn.tokens : null,
        });
  if (ended === null && summary === null) return null;
  const woke =
    turn === null ? undefined : text.turn.woke(clockText(text, turn.at), text.turn.causes[turn.cause]);
  return (
    <p className="turn-end" title={woke}>
      {ended === null ? null : (
        <span className={item.outcome === 'failed' ? 'tone-danger' : undefined}>{ended}</span>
      )}
      {summary}
    </p>
  );
}
