import { type ReactNode, useRef } from 'react';
import { may } from '../../store/window-state.ts';
import { keysOf } from '../../ui/use-keys.ts';
import { useActs, useText, useWindow, useWindowClock } from '../../ui/window-context.tsx';
import { AnswerButton } from './answer-button.tsx';
import { nothingKept, type PromptView, type Verdict } from '../../../shared/domain/prompts.ts';
import { type Choice, choicesFor } from '../../../shared/viewing/prompt-choices.ts';
import { DenyReason } from './deny-reason.tsx';
import type { KeyArming } from './key-arming.ts';
import { Preview } from './preview.tsx';
import { useEndSeen } from './use-end-seen.ts';

interface BodyProps {
  readonly prompt: PromptView;
  readonly arming: KeyArming;
  readonly canAnswer: boolean;
}

/** The text to decide on and its buttons. Nothing here is pressed by default; keys answer only while the card is armed. */
export function ApprovalBody({ prompt, arming, canAnswer }: BodyProps): ReactNode {
  const clock = useWindowClock();
  const box = useRef<HTMLDivElement>(null);
  const isWhole = prompt.previewCut !== true;
  const isSeen = useEndSeen(box, `${prompt.id} ${prompt.preview.length}`) && isWhole;
  const choices = useChoices(prompt, isSeen);
  const decide = useDecide(prompt.id);
  const onKey = keysOf((event) => {
    const choice = isPlain(event) ? choices.find(({ key }) => key === event.key.toLowerCase()) : undefined;
    if (choice === undefined || !canAnswer || event.repeat || !choice.isReady) return false;
    if (!arming.takesKey(event.code, clock.monotonic())) return false;
    decide(choice.verdict);
    return true;
  });
  return (
    <div className="card-body" onKeyDown={onKey}>
      <Preview preview={prompt.preview} box={box} />
      {canAnswer ? <Choices prompt={prompt} choices={choices} arming={arming} decide={decide} /> : null}
      <Hint isWhole={isWhole} isSeen={isSeen} canAnswer={canAnswer} />
    </div>
  );
}

/** Why nothing can be allowed yet, else how the letters work. */
function Hint(props: { isWhole: boolean; isSeen: boolean; canAnswer: boolean }): ReactNode {
  const text = useText();
  if (!props.isWhole) return <p className="card-note">{text.prompt.readingWhole}</p>;
  if (!props.isSeen) return <p className="card-note">{text.prompt.unseen}</p>;
  if (!props.canAnswer) return null;
  return (
    <p className="card-note card-hint">
      <span className="hint-outside">{text.prompt.hint}</span>
      <span className="hint-inside">{text.prompt.hintInside}</span>
    </p>
  );
}

function Choices(props: {
  readonly prompt: PromptView;
  readonly choices: readonly Choice[];
  readonly arming: KeyArming;
  readonly decide: (verdict: Verdict) => void;
}): ReactNode {
  const text = useText();
  const { prompt, choices, arming, decide } = props;
  const { kind } = prompt;
  const labels = {
    ...text.prompt.buttons,
    ...(kind === 'plan' || kind === 'trust' ? text.prompt[kind].buttons : {}),
  };
  const rule = choices.find(({ name }) => name === 'always')?.rule ?? null;
  return (
    <>
      <div className="choices">
        {choices.map(({ name, key, verdict, isReady }) => (
          <AnswerButton
            key={name}
            letter={key}
            look={name === 'deny' ? 'deny' : 'allow'}
            isDisabled={!isReady}
            arming={arming}
            onAnswer={() => decide(verdict)}
          >
            {labels[name]}
          </AnswerButton>
        ))}
        <DenyReason onDeny={(reason) => decide({ behavior: 'deny', reason })} />
      </div>
      {rule === null ? (
        <OnceOnly prompt={prompt} />
      ) : (
        <p className="card-rule">
          {text.prompt.ruleStored} <code>{rule}</code>
        </p>
      )}
    </>
  );
}

/** Why an owner is offered nothing that lasts. */
function OnceOnly({ prompt }: { prompt: PromptView }): ReactNode {
  const text = useText();
  const isOwner = useWindow((state) => may(state, 'owner'));
  if (!isOwner || prompt.kind !== 'approval') return null;
  return <p className="card-rule">{text.prompt.onceOnly[nothingKept(prompt)]}</p>;
}

function useChoices(prompt: PromptView, isSeen: boolean): readonly Choice[] {
  const isOwner = useWindow((state) => may(state, 'owner'));
  const isSending = useWindow(({ verdicts }) => verdicts[prompt.id]?.kind === 'sending');
  return choicesFor({ kind: prompt.kind, rule: prompt.rule, canKeep: isOwner, isSeen, isSending });
}

function useDecide(prompt: string): (verdict: Verdict) => void {
  const { decide } = useActs();
  return (verdict) => decide(prompt, verdict);
}

/** Letters typed into the reason are text, never an answer. */
function isPlain({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  return !ctrlKey && !metaKey && !altKey && !(target instanceof HTMLInputElement);
}
