import type { FormEvent, ReactNode } from 'react';
import { may } from '../../store/window-state.ts';
import { keysOf } from '../../ui/use-keys.ts';
import { Icon } from '../../ui/icons.tsx';
import { useActs, useKept, useText, useWindow } from '../../ui/window-context.tsx';
import { stopFocusProps, stopProps } from '../shell/stops.ts';
import { AttachButton, FileChips, useDrop } from './file-chips.tsx';
import { useFiles, withFiles } from './use-files.ts';
import { composerId } from './composer-id.ts';
import './composer.css';

/**
 * The field for the next message. It is the browser's own: what is typed is read when it is needed and never written back, so
 * no input method is disturbed; each session has its own field, which begins with what was typed there before.
 */
export function Composer({ session }: { session: string }): ReactNode {
  const text = useText();
  const canSend = useWindow((state) => may(state, 'send'));
  if (!canSend) return <p className="composer-note">{text.composer.readOnly}</p>;
  return <Field key={session} session={session} />;
}

function Field({ session }: { session: string }): ReactNode {
  const text = useText();
  const kept = useKept();
  const { send, typed } = useActs();
  const { files, add, remove, clear } = useFiles(session);
  const isDropping = useDrop(add);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem('message');
    if (!(field instanceof HTMLTextAreaElement)) return;
    field.focus();
    const message = withFiles(text, field.value, files);
    if (message.trim() === '' || files.some(({ state }) => state.kind === 'sending')) return;
    send(session, message);
    field.value = '';
    typed(session, '');
    clear();
  };
  return (
    <form className="composer" onSubmit={submit} {...stopProps}>
      {isDropping ? <p className="composer-drop">{text.views.files.drop}</p> : null}
      <FileChips files={files} onRemove={remove} />
      <div className="composer-box">
        <AttachButton onFiles={add} />
        <textarea
          id={composerId}
          name="message"
          className="composer-field"
          rows={1}
          aria-label={text.composer.label}
          placeholder={text.composer.placeholder}
          defaultValue={kept.typed(session)}
          onInput={(event) => typed(session, event.currentTarget.value)}
          onPaste={(event) => {
            const pasted = [...event.clipboardData.files];
            if (pasted.length === 0) return;
            event.preventDefault();
            add(pasted);
          }}
          onKeyDown={onKey}
          {...stopFocusProps}
        />
        <button
          type="submit"
          className="composer-send"
          aria-label={text.composer.send}
          title={text.composer.send}
        >
          <Icon name="send" />
        </button>
      </div>
      <p className="composer-note">{text.composer.hint}</p>
    </form>
  );
}

/** Enter sends, with Shift it is a new line; a held Enter sends once. */
const onKey = keysOf((event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.altKey) return false;
  if (!event.repeat && event.target instanceof HTMLTextAreaElement) event.target.form?.requestSubmit();
  return true;
});
