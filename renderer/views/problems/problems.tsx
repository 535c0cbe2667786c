import type { ReactNode } from 'react';
import { fullTimeText, momentText } from '../../text/time-text.ts';
import { Icon } from '../../ui/icons.tsx';
import { useNow } from '../../ui/use-now.ts';
import { useText, useWindow } from '../../ui/window-context.tsx';
import { PaneHead } from '../shell/pane-head.tsx';
import './problems.css';

/** What is wrong now, since when, and what to do about each. */
export function Problems(): ReactNode {
  const text = useText();
  const now = useNow(60_000);
  const problems = useWindow(({ home }) => home?.problems ?? none);
  return (
    <>
      <PaneHead title={text.problems.title} />
      <div className="problems">
        {problems.length === 0 ? <p className="tone-muted">{text.problems.none}</p> : null}
        <ul>
          {problems.map(({ code, message, next, since }) => (
            <li key={code} className="problem">
              <Icon name="problem" tone="danger" />
              <div>
                <p>{message}</p>
                <p className="tone-muted">{next}</p>
                <p className="problem-since">
                  <code>{code}</code>{' '}
                  <span title={fullTimeText(text, since)}>
                    {text.problems.since(momentText(text, since, now))}
                  </span>
                </p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

const none = [] as const;
