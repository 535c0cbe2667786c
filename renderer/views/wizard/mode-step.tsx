import type { ReactNode } from 'react';
import { useText } from '../../ui/window-context.tsx';
import { Choice } from './choice.tsx';
import type { Wishes } from './wishes.ts';

/** Modes for a beginning; the one that asks nothing is chosen later, by those who look for it. */
const offered = ['default', 'acceptEdits', 'plan'] as const;

/** Whether Kairos asks first, and what it shall do. */
export function ModeStep(props: { wishes: Wishes; onChange: (some: Partial<Wishes>) => void }): ReactNode {
  const { wishes, onChange } = props;
  const text = useText();
  const { session, wizard } = text.views;
  return (
    <>
      <div className="choices-list" role="radiogroup" aria-label={wizard.steps.mode}>
        {offered.map((mode) => (
          <Choice
            key={mode}
            name="mode"
            title={session.modes[mode]}
            hint={session.modeHints[mode]}
            isChosen={wishes.mode === mode}
            onChoose={() => onChange({ mode })}
          />
        ))}
      </div>
      <label className="field">
        <span className="field-label">{wizard.firstMessage}</span>
        <textarea
          className="input"
          name="text"
          placeholder={text.form.messageHint}
          defaultValue={wishes.text}
          onInput={(event) => onChange({ text: event.currentTarget.value })}
        />
      </label>
    </>
  );
}
