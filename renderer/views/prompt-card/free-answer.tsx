import type { FormEvent, ReactNode } from 'react';
import { useText } from '../../ui/window-context.tsx';
import { keysOf } from '../../ui/use-keys.ts';

/** An answer in one's own words. */
export function FreeAnswer(props: {
  readonly isDisabled: boolean;
  readonly hasOptions: boolean;
  readonly onAnswer: (words: string) => void;
}): ReactNode {
  const { isDisabled, hasOptions, onAnswer } = props;
  const text = useText();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const words = String(new FormData(event.currentTarget).get('answer') ?? '').trim();
    if (words !== '' && !isDisabled) onAnswer(words);
  };
  const label = hasOptions ? text.prompt.freeText : text.prompt.freeTextLabel;
  return (
    <form className="free-answer" onSubmit={submit}>
      <input
        className="input"
        name="answer"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        {...(hasOptions ? {} : { 'data-stop-focus': '' })}
        onKeyDown={keysOf((event) => {
          if (event.key !== 'Enter' || event.repeat) return false;
          (event.target as HTMLInputElement).form?.requestSubmit();
          return true;
        })}
      />
      <button type="submit" className="button" disabled={isDisabled}>
        {text.prompt.buttons.answer}
      </button>
    </form>
  );
}
