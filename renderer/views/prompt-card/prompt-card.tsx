import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { PromptView } from '../../../shared/domain/prompts.ts';
import { may } from '../../store/window-state.ts';
import type { WindowText } from '../../text/window-text.ts';
import { useActs, useText, useWindow } from '../../ui/window-context.tsx';
import { keysOf } from '../../ui/use-keys.ts';
import { stopProps } from '../shell/stops.ts';
import { composerId } from '../composer/composer-id.ts';
import { AnsweredNote } from './answered-note.tsx';
import { ApprovalBody } from './approval-body.tsx';
import { CardHead } from './card-head.tsx';
import { openPrompts } from '../../../shared/viewing/open-prompts.ts';
import { QuestionBody } from './question-body.tsx';
import { useArming } from './use-arming.ts';
import './prompt-card.css';

/** What the session asks, oldest first, one at a time, above the composer. It never takes the focus by itself. */
export function PromptCard({ session }: { session: string }): ReactNode {
  const pages = useWindow((state) => state.pages);
  const home = useWindow((state) => state.home);
  const prompts = useMemo(() => openPrompts({ pages, home }, session), [pages, home, session]);
  const [first] = prompts;
  return (
    <>
      <AnsweredNote session={session} shown={first?.id ?? null} />
      {first === undefined ? null : <OpenCard prompt={first} count={prompts.length} />}
    </>
  );
}

function OpenCard({ prompt: framed, count }: { prompt: PromptView; count: number }): ReactNode {
  const text = useText();
  const card = useRef<HTMLElement>(null);
  const prompt = useWholePrompt(framed);
  const arming = useArming(card, prompt.id);
  const canAnswer = useWindow((state) => may(state, 'approve'));
  useFocusAfter(card, prompt.id);
  const isQuestion = prompt.kind === 'question' || prompt.kind === 'elicitation';
  const title = titleOf(text, prompt);
  return (
    <section
      ref={card}
      className="prompt-card"
      aria-label={title}
      onClick={() => focusInto(card.current)}
      onKeyDown={onCardKey}
      {...stopProps}
    >
      <CardHead prompt={prompt} title={title} count={count} />
      {isQuestion ? (
        <QuestionBody key={prompt.id} prompt={prompt} arming={arming} canAnswer={canAnswer} />
      ) : (
        <ApprovalBody key={prompt.id} prompt={prompt} arming={arming} canAnswer={canAnswer} />
      )}
      <Progress prompt={prompt.id} />
    </section>
  );
}

function titleOf(text: WindowText, { kind, sessionName, session }: PromptView): string {
  const name = sessionName ?? session;
  if (kind === 'question' || kind === 'elicitation') return text.prompt.question(name);
  return kind === 'plan' || kind === 'trust' ? text.prompt[kind].title(name) : text.prompt.asks(name);
}

/** Escape means later: back to the composer, nothing is answered. */
const onCardKey = keysOf(({ key }) => {
  const composer = key === 'Escape' ? document.getElementById(composerId) : null;
  composer?.focus();
  return composer !== null;
});

/** A click anywhere in the card brings the focus to what is asked, unless it is inside already. */
function focusInto(card: HTMLElement | null): void {
  if (card === null || card.contains(document.activeElement)) return;
  card.querySelector<HTMLElement>('[data-stop-focus]')?.focus();
}

/** A frame may hold a part of the preview only: the rest is read before anything may be allowed. */
function useWholePrompt(framed: PromptView): PromptView {
  const { readWhole } = useActs();
  const whole = useWindow(({ wholePrompts }) => wholePrompts[framed.id]);
  const isCut = framed.previewCut === true && whole === undefined;
  useEffect(() => {
    if (isCut) readWhole(framed.id);
  }, [isCut, readWhole, framed.id]);
  return whole === undefined ? framed : { ...framed, preview: whole.preview, previewCut: false };
}

/** Who was in the card stays in it for the next prompt, and comes to the composer after the last; nobody else is moved. */
function useFocusAfter(card: React.RefObject<HTMLElement | null>, prompt: string): void {
  const wasInside = useRef(false);
  useLayoutEffect(() => {
    const { current } = card;
    if (wasInside.current) current?.querySelector<HTMLElement>('[data-stop-focus]')?.focus();
    return () => {
      wasInside.current = current?.contains(document.activeElement) === true;
    };
  }, [card, prompt]);
  useLayoutEffect(
    () => () => {
      if (wasInside.current) document.getElementById(composerId)?.focus();
    },
    [],
  );
}

/** What became of the answer given here; success is told by the prompt's end alone. */
function Progress({ prompt }: { prompt: string }): ReactNode {
  const text = useText();
  const progress = useWindow(({ verdicts }) => verdicts[prompt]);
  if (progress === undefined) return null;
  if (progress.kind === 'sending') return <p className="card-note">{text.prompt.sending}</p>;
  if (progress.kind === 'failed') {
    const { message, next, status } = progress.fault;
    return (
      <p className="card-note tone-danger" role="alert">
        {text.prompt.notSent} {status === 0 ? '' : `${message} ${next}`}
      </p>
    );
  }
  const { outcome, message } = progress.answer;
  if (outcome === 'accepted') return null;
  return (
    <p className="card-note tone-danger" role="alert">
      {message}
    </p>
  );
}
