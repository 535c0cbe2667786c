import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { promptViewSchema, type PromptView } from '../../../shared/domain/prompts.ts';
import { endingOf, whoOf } from '../../../shared/viewing/prompt-ending.ts';
import { Icon } from '../../ui/icons.tsx';
import { Ago } from '../../ui/time.tsx';
import { useAnswer } from '../../ui/use-answer.ts';
import { useText, useWindow } from '../../ui/window-context.tsx';
import { ViewWaiting } from '../view-frame/view-frame.tsx';

const answerSchema = z.array(promptViewSchema);
const path = '/prompts?state=closed&limit=100';

/** What was decided, by whom and where, newest first. */
export function Decided(): ReactNode {
  const text = useText();
  const { value, fault, again } = useAnswer(path, answerSchema);
  if (value === null) return <ViewWaiting fault={fault} again={again} />;
  if (value.length === 0) return <p className="tone-muted">{text.views.approvals.noneDecided}</p>;
  const at = ({ by, createdAt }: PromptView): number => by?.at ?? createdAt;
  const sorted = [...value].sort((left, right) => at(right) - at(left));
  return (
    <ul className="view-list">
      {sorted.map((prompt) => (
        <DecidedRow key={prompt.id} prompt={prompt} at={at(prompt)} />
      ))}
    </ul>
  );
}

function DecidedRow({ prompt, at }: { prompt: PromptView; at: number }): ReactNode {
  const text = useText();
  const device = useWindow((state) => state.device);
  const ending = endingOf(prompt);
  if (ending === null) return null;
  const isNo = ending === 'deny' || ending === 'expired';
  const who = prompt.by === null ? null : text.prompt.who(whoOf(prompt.by, device));
  const { verdict } = prompt;
  const words =
    verdict?.behavior === 'answer' ? verdict.text : verdict?.behavior === 'deny' ? verdict.reason : null;
  return (
    <li className="view-row">
      <Icon
        name={isNo ? 'cross' : ending === 'withdrawn' ? 'circle' : 'check'}
        tone={isNo ? 'danger' : 'ok'}
      />
      <div className="view-row-words">
        <p className="approval-headline">{prompt.headline}</p>
        <p className="view-meta">
          {text.prompt.ended(ending)}
          {who === null ? '' : ` · ${who}`} · {prompt.sessionName ?? prompt.session} · <Ago at={at} />
        </p>
        {words === null || words === undefined ? null : <q>{words}</q>}
      </div>
    </li>
  );
}
