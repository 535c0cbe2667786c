import { type ReactNode, useState } from 'react';
import { modelsAnswerSchema, modelTestAnswerSchema } from '../../../shared/protocol/bridge.ts';
import { Button } from '../../ui/button.tsx';
import { useAnswer } from '../../ui/use-answer.ts';
import { useActs, useText } from '../../ui/window-context.tsx';
import { ViewWaiting } from '../view-frame/view-frame.tsx';
import { Choice } from './choice.tsx';
import type { Wishes } from './wishes.ts';

type Outcome = { readonly isGood: boolean; readonly words: string };

/** The built-in engine, or one of the models whose providers answer; each can be tried with one small request. */
export function ModelStep(props: { wishes: Wishes; onChange: (some: Partial<Wishes>) => void }): ReactNode {
  const { wishes, onChange } = props;
  const text = useText();
  const { wizard } = text.views;
  const { ask } = useActs();
  const { value, fault, again } = useAnswer('/models', modelsAnswerSchema);
  const [outcome, setOutcome] = useState<Outcome | 'asking' | null>(null);
  if (value === null) return <ViewWaiting fault={fault} again={again} />;
  const chosen = wishes.model ?? value.default.ref;
  const others = value.models.filter(({ ref }) => ref !== 'offline');
  const choose = (model: string): void => {
    onChange({ model });
    setOutcome(null);
  };
  const test = (): void => {
    setOutcome('asking');
    void ask({ path: '/models/test', body: { model: chosen } }, modelTestAnswerSchema).then((asked) => {
      if (!asked.ok) setOutcome({ isGood: false, words: `${asked.fault.message} ${asked.fault.next}` });
      else if (asked.value.ok) setOutcome({ isGood: true, words: wizard.works(asked.value.ms) });
      else setOutcome({ isGood: false, words: `${asked.value.message} ${asked.value.next}` });
    });
  };
  return (
    <>
      <div className="choices-list" role="radiogroup" aria-label={wizard.steps.model}>
        <Choice
          name="model"
          title={wizard.builtIn}
          hint={wizard.builtInHint}
          isChosen={chosen === 'offline'}
          onChoose={() => choose('offline')}
        />
        {others.map(({ ref, provider }) => (
          <Choice
            key={ref}
            name="model"
            title={ref}
            hint={value.providers.find(({ name }) => name === provider)?.detail ?? ''}
            isChosen={chosen === ref}
            onChoose={() => choose(ref)}
          />
        ))}
      </div>
      {others.length === 0 ? <p className="tone-muted">{wizard.noKey}</p> : null}
      {chosen === 'offline' ? null : (
        <div className="wizard-test">
          <Button isDisabled={outcome === 'asking'} onPress={test}>
            {outcome === 'asking' ? wizard.testing : wizard.test}
          </Button>
          {outcome === null || outcome === 'asking' ? null : (
            <p role="status" className={outcome.isGood ? 'tone-ok' : 'tone-danger'}>
              {outcome.words}
            </p>
          )}
        </div>
      )}
    </>
  );
}
