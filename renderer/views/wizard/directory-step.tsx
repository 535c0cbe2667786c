import { type ReactNode, useState } from 'react';
import * as z from 'zod/mini';
import { trustAnswerSchema, type TrustView } from '../../../shared/protocol/permissions.ts';
import type { Fault } from '../../../shared/viewing/fault.ts';
import { Button } from '../../ui/button.tsx';
import { useActs, useText } from '../../ui/window-context.tsx';
import type { Wishes } from './wishes.ts';

/** Where it works, and whether what the directory brings may run by itself. Nothing is trusted that was not shown. */
export function DirectoryStep(props: {
  wishes: Wishes;
  onChange: (some: Partial<Wishes>) => void;
}): ReactNode {
  const { wishes, onChange } = props;
  const text = useText();
  const { wizard } = text.views;
  const { ask } = useActs();
  const [found, setFound] = useState<readonly TrustView[] | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const look = (): void => {
    void ask({ path: `/trust?dir=${encodeURIComponent(wishes.dir.trim())}` }, trustAnswerSchema).then(
      (asked) => {
        setFault(asked.ok ? null : asked.fault);
        setFound(asked.ok ? asked.value : null);
      },
    );
  };
  const decide = ({ dir, digest }: TrustView, trusted: boolean): void => {
    const request = { path: '/trust', body: { dir, digest, trusted } };
    void ask(request, z.unknown()).then((asked) => {
      setFault(asked.ok ? null : asked.fault);
      look();
    });
  };
  return (
    <>
      <DirectoryField
        dir={wishes.dir}
        onType={(dir) => {
          onChange({ dir });
          setFound(null);
        }}
      />
      {wishes.dir.trim() === '' ? null : (
        <div>
          <Button onPress={look}>{wizard.check}</Button>
        </div>
      )}
      {fault === null ? null : (
        <p role="alert" className="tone-danger">
          {fault.message} {fault.next}
        </p>
      )}
      {found === null ? null : found.length === 0 ? (
        <p role="status" className="tone-muted">
          {wizard.trustNothing}
        </p>
      ) : (
        found.map((view) => <Brought key={view.dir} view={view} onDecide={decide} />)
      )}
    </>
  );
}

function DirectoryField({ dir, onType }: { dir: string; onType: (dir: string) => void }): ReactNode {
  const text = useText();
  return (
    <label className="field">
      <span className="field-label">{text.form.dir}</span>
      <input
        className="input new-session-dir"
        name="dir"
        defaultValue={dir}
        autoComplete="off"
        spellCheck={false}
        onInput={(event) => onType(event.currentTarget.value)}
      />
      <span className="field-hint">{text.form.dirHint}</span>
    </label>
  );
}

function Brought(props: {
  readonly view: TrustView;
  readonly onDecide: (view: TrustView, trusted: boolean) => void;
}): ReactNode {
  const { view, onDecide } = props;
  const text = useText();
  const { wizard } = text.views;
  return (
    <section className="brought">
      <p>{wizard.trustAsk}</p>
      <code>{view.dir}</code>
      <pre className="code-block" tabIndex={0}>
        {view.preview}
      </pre>
      <div className="wizard-test">
        <Button isDisabled={view.state === 'trusted'} onPress={() => onDecide(view, true)}>
          {wizard.trustYes}
        </Button>
        <Button isDisabled={view.state === 'refused'} onPress={() => onDecide(view, false)}>
          {wizard.trustNo}
        </Button>
      </div>
    </section>
  );
}
