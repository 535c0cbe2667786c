import type { ReactNode } from 'react';
import type { PromptView } from '../../../shared/domain/prompts.ts';
import { fullTimeText, untilText } from '../../text/time-text.ts';
import { Icon } from '../../ui/icons.tsx';
import { useNow } from '../../ui/use-now.ts';
import { useText } from '../../ui/window-context.tsx';

/** Who asks, which of how many, until when; then what, in the daemon's words, and where. */
export function CardHead(props: { prompt: PromptView; title: string; count: number }): ReactNode {
  const { prompt, title, count } = props;
  const text = useText();
  const now = useNow(30_000);
  return (
    <header className="card-head">
      <p className="card-title">
        <Icon name="asking" tone="asking" />
        <strong>{title}</strong>
        {count > 1 ? <span>{text.prompt.position(1, count)}</span> : null}
        <span className="card-expiry" title={fullTimeText(text, prompt.expiresAt)}>
          {text.prompt.expires(untilText(text, prompt.expiresAt, now))}
        </span>
      </p>
      <h2 className="card-headline">{prompt.headline}</h2>
      <p className="card-where">
        {text.prompt.inDirectory} <code>{prompt.dir}</code>
      </p>
      {prompt.description === '' ? null : (
        <p className="card-label">
          <span className="tone-muted">{text.prompt.modelSays}</span> <q>{prompt.description}</q>
        </p>
      )}
      {(prompt.risks ?? []).length === 0 ? null : (
        <ul className="card-risks" aria-label={text.prompt.risks}>
          {prompt.risks?.map((risk) => (
            <li key={risk}>
              <Icon name="problem" tone="asking" />
              <span>{risk}</span>
            </li>
          ))}
        </ul>
      )}
      {prompt.reason === null || prompt.reason === undefined ? null : (
        <p className="card-label">
          <span className="tone-muted">{text.prompt.asksBecause}</span> {prompt.reason}
        </p>
      )}
    </header>
  );
}
