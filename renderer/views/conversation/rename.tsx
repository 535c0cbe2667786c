import { type FormEvent, type ReactNode, useState } from 'react';
import type { SessionView } from '../../../shared/protocol/bridge.ts';
import type { Fault } from '../../../shared/viewing/fault.ts';
import { Button } from '../../ui/button.tsx';
import { keysOf } from '../../ui/use-keys.ts';
import { useActs, useText } from '../../ui/window-context.tsx';

/** The title as a field: Enter saves, Escape leaves it as it was. */
export function Rename({ session, onDone }: { session: SessionView; onDone: () => void }): ReactNode {
  const text = useText();
  const { rename } = useActs();
  const [fault, setFault] = useState<Fault | null>(null);
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim();
    if (name === '' || name === session.name) return onDone();
    void rename(session.id, name).then((refused) => (refused === null ? onDone() : setFault(refused)));
  };
  return (
    <form className="rename" onSubmit={save}>
      <input
        className="input"
        name="name"
        aria-label={text.form.name}
        defaultValue={session.name ?? ''}
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        // The person pressed "rename" a moment ago: the field is where the next key belongs.
        autoFocus
        onKeyDown={keysOf((event) => {
          if (event.key !== 'Escape') return false;
          onDone();
          return true;
        })}
      />
      <button type="submit" className="button">
        {text.form.save}
      </button>
      <Button look="quiet" onPress={onDone}>
        {text.form.cancel}
      </Button>
      {fault === null ? null : (
        <p role="alert" className="tone-danger">
          {fault.message} {fault.next}
        </p>
      )}
    </form>
  );
}
