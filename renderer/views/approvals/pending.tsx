import type { ReactNode } from 'react';
import { agoText } from '../../text/time-text.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useNow } from '../../ui/use-now.ts';
import { useActs, useText, useWindow } from '../../ui/window-context.tsx';

const none = [] as const;

/** Everything that is asked now, oldest first. It is answered in its session, where what led to it stands. */
export function Pending(): ReactNode {
  const text = useText();
  const now = useNow(30_000);
  const { show } = useActs();
  const prompts = useWindow(({ home }) => home?.prompts ?? none);
  if (prompts.length === 0) return <p className="tone-muted">{text.views.approvals.nonePending}</p>;
  const sorted = [...prompts].sort((left, right) => left.createdAt - right.createdAt);
  return (
    <ul className="view-list">
      {sorted.map((prompt) => (
        <li key={prompt.id} className="view-row">
          <Icon name="asking" tone="asking" />
          <div className="view-row-words">
            <p className="approval-headline">{prompt.headline}</p>
            <p className="view-meta">
              {prompt.sessionName ?? prompt.session} ·{' '}
              {text.views.approvals.waiting(agoText(text, prompt.createdAt, now))} · <code>{prompt.dir}</code>
            </p>
            {(prompt.risks ?? []).map((risk) => (
              <p key={risk} className="view-meta tone-asking">
                {risk}
              </p>
            ))}
          </div>
          <Button onPress={() => show({ kind: 'session', id: prompt.session })}>
            {text.views.approvals.open}
          </Button>
        </li>
      ))}
    </ul>
  );
}
