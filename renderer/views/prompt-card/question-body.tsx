import { type ReactNode, useState } from 'react';
import type { PromptView } from '../../../shared/domain/prompts.ts';
import { keysOf } from '../../ui/use-keys.ts';
import { useActs, useText, useWindow, useWindowClock } from '../../ui/window-context.tsx';
import { stopFocusProps } from '../shell/stops.ts';
import { AnswerButton } from './answer-button.tsx';
import { FreeAnswer } from './free-answer.tsx';
import type { KeyArming } from './key-arming.ts';
import { answerText, optionAt, optionLetter } from '../../../shared/viewing/question-answer.ts';

interface BodyProps {
  readonly prompt: PromptView;
  readonly arming: KeyArming;
  readonly canAnswer: boolean;
}

/** A question: lettered options where it has some, and always one's own words. */
export function QuestionBody({ prompt, arming, canAnswer }: BodyProps): ReactNode {
  const text = useText();
  const { decide } = useActs();
  const clock = useWindowClock();
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const isSending = useWindow(({ verdicts }) => verdicts[prompt.id]?.kind === 'sending');
  const answer = (words: string): void => decide(prompt.id, { behavior: 'answer', text: words });
  const choose = (index: number): void => {
    if (!prompt.multiple) return answer(answerText(prompt.options, [index]));
    setChosen((all) => (all.includes(index) ? all.filter((one) => one !== index) : [...all, index].sort()));
  };
  const onKey = keysOf((event) => {
    const index = isPlain(event) ? optionAt(prompt.options, event.key) : null;
    if (index === null || !canAnswer || isSending || event.repeat) return false;
    if (!arming.takesKey(event.code, clock.monotonic())) return false;
    choose(index);
    return true;
  });
  return (
    <div className="card-body" onKeyDown={onKey}>
      {prompt.preview === '' || prompt.preview === prompt.headline ? null : (
        <pre className="preview" tabIndex={0} aria-label={text.prompt.wholeQuestion}>
          {prompt.preview}
        </pre>
      )}
      {canAnswer ? (
        <>
          <Options {...{ prompt, arming, chosen, choose, isSending }} />
          {prompt.multiple ? (
            <SendChosen
              {...{ arming, isDisabled: isSending || chosen.length === 0 }}
              onAnswer={() => answer(answerText(prompt.options, chosen))}
            />
          ) : null}
          <FreeAnswer isDisabled={isSending} hasOptions={prompt.options.length > 0} onAnswer={answer} />
        </>
      ) : null}
    </div>
  );
}

function Options(props: {
  readonly prompt: PromptView;
  readonly arming: KeyArming;
  readonly chosen: readonly number[];
  readonly choose: (index: number) => void;
  readonly isSending: boolean;
}): ReactNode {
  const { prompt, arming, chosen, choose, isSending } = props;
  if (prompt.options.length === 0) return null;
  return (
    <ul className="options" tabIndex={-1} {...stopFocusProps}>
      {prompt.options.map(({ label, description }, index) => (
        <li key={`${index}-${label}`} className={chosen.includes(index) ? 'is-chosen' : ''}>
          <AnswerButton
            letter={optionLetter(index)}
            look="plain"
            isDisabled={isSending}
            arming={arming}
            onAnswer={() => choose(index)}
          >
            <span className="option-words">
              {label}
              {description === undefined ? null : <span className="tone-muted">{description}</span>}
            </span>
          </AnswerButton>
        </li>
      ))}
    </ul>
  );
}

function SendChosen(props: { arming: KeyArming; isDisabled: boolean; onAnswer: () => void }): ReactNode {
  const text = useText();
  return (
    <div className="choices">
      <AnswerButton letter={null} look="allow" {...props}>
        {text.prompt.buttons.answer}
      </AnswerButton>
    </div>
  );
}

/** Letters typed into the field are text, never an answer by letter. */
function isPlain({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  return !ctrlKey && !metaKey && !altKey && !(target instanceof HTMLInputElement);
}
