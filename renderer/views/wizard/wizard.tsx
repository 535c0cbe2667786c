import { type ReactNode, useState } from 'react';
import type { Fault } from '../../../shared/viewing/fault.ts';
import { Button } from '../../ui/button.tsx';
import { useActs, useText } from '../../ui/window-context.tsx';
import { ViewFrame } from '../view-frame/view-frame.tsx';
import { DirectoryStep } from './directory-step.tsx';
import { ModeStep } from './mode-step.tsx';
import { ModelStep } from './model-step.tsx';
import type { Wishes } from './wishes.ts';
import './wizard.css';

const steps = ['model', 'directory', 'mode'] as const;

/** The first session, step by step: a model, a directory and what it brings, and whether to ask. */
export function Wizard({ onPlainForm }: { onPlainForm: () => void }): ReactNode {
  const text = useText();
  const { wizard } = text.views;
  const { create } = useActs();
  const [at, setAt] = useState(0);
  const [wishes, setWishes] = useState<Wishes>({ model: null, dir: '', mode: 'default', text: '' });
  const [fault, setFault] = useState<Fault | null>(null);
  const change = (some: Partial<Wishes>): void => setWishes((all) => ({ ...all, ...some }));
  const start = (): void => {
    void create({ ...wishes, name: '', brief: null }).then(setFault);
  };
  const step = steps[at] ?? 'model';
  const isLast = at === steps.length - 1;
  return (
    <ViewFrame title={wizard.title}>
      <form
        className="wizard"
        onSubmit={(event) => {
          event.preventDefault();
          if (isLast) start();
          else setAt(at + 1);
        }}
      >
        <p className="tone-muted">{at === 0 ? wizard.intro : null}</p>
        <h2>
          <span className="view-meta">{wizard.step(at + 1, steps.length)}</span>
          {wizard.steps[step]}
        </h2>
        {step === 'model' ? <ModelStep wishes={wishes} onChange={change} /> : null}
        {step === 'directory' ? <DirectoryStep wishes={wishes} onChange={change} /> : null}
        {step === 'mode' ? <ModeStep wishes={wishes} onChange={change} /> : null}
        {fault === null ? null : (
          <p role="alert" className="tone-danger">
            {fault.message} {fault.next}
          </p>
        )}
        <div className="wizard-acts">
          {at === 0 ? (
            <Button look="quiet" onPress={onPlainForm}>
              {wizard.plainForm}
            </Button>
          ) : (
            <Button look="quiet" onPress={() => setAt(at - 1)}>
              {wizard.back}
            </Button>
          )}
          <button type="submit" className="button is-primary">
            {isLast ? wizard.start : wizard.next}
          </button>
        </div>
      </form>
    </ViewFrame>
  );
}
