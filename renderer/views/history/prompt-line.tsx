import type { ReactNode } from 'react';
import type { PromptItem } from '../../../shared/session/session-view-items.ts';
import { Icon } from '../../ui/icons.tsx';
import { At } from '../../ui/time.tsx';
import { useText, useWindow } from '../../ui/window-context.tsx';
import { endingOf, whoOf } from '../../../shared/viewing/prompt-ending.ts';

/** How a question to the person ended, and who answered. */
export function PromptLine({ item }: { item: PromptItem }): ReactNode {
  const text = useText();
  const device = useWindow((state) => state.device);
  const ending = endingOf(item);
  if (ending === null) return null;
  const who = item.by === null ? null : text.prompt.who(whoOf(item.by, device));
  const answer = item.verdict?.behavior === 'answer' ? item.verdict.text : null;
  const reason = item.verdict?.behavior === 'deny' ? (item.verdict.reason ?? null) : null;
  const words = answer ?? reason;
  const isNo = ending === 'deny' || ending === 'expired';
  return (
    <div className="prompt-line">
      <Icon
        name={isNo ? 'cross' : ending === 'withdrawn' ? 'circle' : 'check'}
        tone={isNo ? 'danger' : 'ok'}
      />
      <span className="prompt-line-words">
        <code>{item.headline}</code> {text.prompt.ended(ending)}
        {who === null ? '' : ` · ${who}`} · <At at={item.by?.at ?? item.at} />
        {words === null ? null : <q>{words}</q>}
      </span>
    </div>
  );
}
