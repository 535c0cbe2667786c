import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { keysOf } from '../../ui/use-keys.ts';
import { useText } from '../../ui/window-context.tsx';

/** Deny, and tell Kairos why: a field that opens on demand, so that nothing stands between the person and the plain answers. */
export function DenyReason({ onDeny }: { onDeny: (reason: string) => void }): ReactNode {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const { open, label, send } = text.prompt.denyReason;
  if (!isOpen) {
    return (
      <Button look="quiet" onPress={() => setOpen(true)}>
        {open}
      </Button>
    );
  }
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get('reason') ?? '').trim();
    if (reason !== '') onDeny(reason);
  };
  return (
    <form className="deny-reason" onSubmit={submit}>
      <input
        className="input"
        name="reason"
        aria-label={label}
        placeholder={label}
        maxLength={500}
        autoComplete="off"
        // The person pressed "deny with a reason" a moment ago: the field is where the next key belongs.
        autoFocus
        onKeyDown={keysOf((event) => {
          if (event.key === 'Escape') {
            setOpen(false);
            return true;
          }
          if (event.key !== 'Enter' || event.repeat) return false;
          (event.target as HTMLInputElement).form?.requestSubmit();
          return true;
        })}
      />
      <button type="submit" className="button">
        {send}
      </button>
    </form>
  );
}
