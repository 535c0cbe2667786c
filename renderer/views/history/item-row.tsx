import { memo, type ReactNode } from 'react';
import type { SessionItem, TurnItem } from '../../../shared/session/session-view-items.ts';
import { CallsFold } from './calls-fold.tsx';
import { DeliveryLine, NoticeLine, UnknownLine } from './lines.tsx';
import { MessageInRow } from './message-in-row.tsx';
import { MessageOutRow } from './message-out-row.tsx';
import { PromptLine } from './prompt-line.tsx';
import { ReplyRow } from './reply-row.tsx';
import { TodoList } from './todo-list.tsx';
import { TurnBegin, TurnEnd } from './turn-lines.tsx';

interface ItemProps {
  readonly session: string;
  readonly item: SessionItem;
  readonly turns: ReadonlyMap<string, TurnItem>;
  readonly isDetailed: boolean;
}

function turnOf({ item, turns }: ItemProps): TurnItem | null {
  return 'turn' in item && item.turn !== null ? (turns.get(item.turn) ?? null) : null;
}

/** Turns with the same sums look the same; in brief they are made anew with every change of the list. */
function isSameTurn(before: TurnItem | null, after: TurnItem | null): boolean {
  return (
    before?.calls === after?.calls &&
    before?.tokens === after?.tokens &&
    before?.microUsd === after?.microUsd &&
    before?.cause === after?.cause &&
    before?.at === after?.at
  );
}

/** One item of the history; made again only when the item, its turn or the view changes. */
export const ItemRow = memo(
  function ItemRow(props: ItemProps): ReactNode {
    const { session, item, isDetailed } = props;
    switch (item.kind) {
      case 'message_in':
        return <MessageInRow item={item} />;
      case 'message_out':
        return <MessageOutRow item={item} turn={turnOf(props)} />;
      case 'calls':
        return <CallsFold session={session} item={item} isDetailed={isDetailed} />;
      case 'todos':
        return <TodoList item={item} />;
      case 'reply':
        return <ReplyRow item={item} />;
      case 'prompt':
        return <PromptLine item={item} />;
      case 'turn':
        return <TurnBegin item={item} />;
      case 'turn_end':
        return <TurnEnd item={item} turn={turnOf(props)} isDetailed={isDetailed} />;
      case 'delivery':
        return <DeliveryLine item={item} />;
      case 'notice':
        return <NoticeLine item={item} />;
      case 'unknown':
        return <UnknownLine item={item} />;
    }
  },
  (before, after) =>
    before.item === after.item &&
    before.isDetailed === after.isDetailed &&
    isSameTurn(turnOf(before), turnOf(after)),
);
