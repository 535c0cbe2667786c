import { type FormEvent, type ReactNode, useState } from 'react';
import type { Fault } from '../../../shared/viewing/fault.ts';
import { permissionModeSchema } from '../../../shared/domain/sessions.ts';
import type { NewSessionForm } from '../../store/session-acts.ts';
import { Select } from '../../ui/select.tsx';
import { useModelOptions } from '../session-options/use-models.ts';
import { Button } from '../../ui/button.tsx';
import { keysOf } from '../../ui/use-keys.ts';
import { useActs, useText, useWindow } from '../../ui/window-context.tsx';
import { PaneHead } from '../shell/pane-head.tsx';
import { stopFocusProps, stopProps } from '../shell/stops.ts';
import '../session-options/session-options.css';
import '../view-frame/view-frame.css';
import './new-session.css';

const fieldText = (form: FormData, name: string): string => String(form.get(name) ?? '');

/** The form for a new session: what it is called, where it works, and what it shall do first. */
export function NewSession(): ReactNode {
  const text = useText();
  const { create } = useActs();
  const isFirst = useWindow(({ home }) => home?.sessions.length === 0);
  const [fault, setFault] = useState<Fault | null>(null);
  const [isSending, setSending] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isSending) return;
    const form = new FormData(event.currentTarget);
    setSending(true);
    void create(wishOf(form)).then((refused) => {
      setSending(false);
      setFault(refused);
    });
  };
  return (
    <>
      <PaneHead title={isFirst ? text.form.firstTitle : text.form.title} />
      <form className="new-session" onSubmit={submit} {...stopProps}>
        <MessageField />
        <DirectoryField />
        <label className="field">
          <span className="field-label">{text.form.name}</span>
          <input className="input" name="name" maxLength={64} autoComplete="off" spellCheck={false} />
          <span className="field-hint">{text.form.nameHint}</span>
        </label>
        <WorkFields />
        {fault === null ? null : (
          <p role="alert" className="tone-danger">
            {fault.message} {fault.next}
          </p>
        )}
        <FormActs isSending={isSending} />
      </form>
    </>
  );
}

/** What the form says; "" is left to the daemon. */
function wishOf(form: FormData): NewSessionForm {
  const mode = permissionModeSchema.safeParse(fieldText(form, 'mode'));
  const model = fieldText(form, 'model');
  return {
    name: fieldText(form, 'name').trim(),
    dir: fieldText(form, 'dir').trim(),
    text: fieldText(form, 'text'),
    mode: mode.success ? mode.data : null,
    model: model === '' ? null : model,
    brief: form.get('brief') === null ? null : true,
  };
}

/** How it works: whether it asks, with which model, and what of the work is shown. */
function WorkFields(): ReactNode {
  const text = useText();
  const words = text.views.session;
  const models = useModelOptions(null);
  const modes = [
    { value: '', label: text.views.settings.sources.default },
    ...permissionModeSchema.options.map((mode) => ({ value: mode, label: words.modes[mode] })),
  ];
  return (
    <div className="view-filters">
      <Select label={words.mode} name="mode" options={modes} />
      <Select label={words.model} name="model" options={models} />
      <label className="session-brief" title={words.briefHint}>
        <input type="checkbox" name="brief" />
        {words.brief}
      </label>
    </div>
  );
}

function MessageField(): ReactNode {
  const text = useText();
  return (
    <label className="field">
      <span className="field-label">{text.form.message}</span>
      <textarea
        className="input"
        name="text"
        placeholder={text.form.messageHint}
        {...stopFocusProps}
        onKeyDown={keysOf((event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.altKey) return false;
          (event.target as HTMLTextAreaElement).form?.requestSubmit();
          return true;
        })}
      />
    </label>
  );
}

function DirectoryField(): ReactNode {
  const text = useText();
  const recent = useWindow(recentDirectory);
  return (
    <label className="field">
      <span className="field-label">{text.form.dir}</span>
      <input
        className="input new-session-dir"
        name="dir"
        defaultValue={recent}
        autoComplete="off"
        spellCheck={false}
      />
      <span className="field-hint">{text.form.dirHint}</span>
    </label>
  );
}

function FormActs({ isSending }: { isSending: boolean }): ReactNode {
  const text = useText();
  const { show } = useActs();
  const canLeave = useWindow(({ home }) => (home?.sessions.length ?? 0) > 0);
  return (
    <div className="new-session-acts">
      <button type="submit" className="button is-primary" disabled={isSending}>
        {text.form.create}
      </button>
      {canLeave ? (
        <Button look="quiet" onPress={() => show({ kind: 'none' })}>
          {text.form.cancel}
        </Button>
      ) : null}
    </div>
  );
}

/** Where the person worked last; most new sessions are about the same directory. */
function recentDirectory({
  home,
}: {
  home: { sessions: readonly { dir: string; lastActivity: number }[] } | null;
}): string {
  const [latest] = [...(home?.sessions ?? [])].sort((left, right) => right.lastActivity - left.lastActivity);
  return latest?.dir ?? '';
}
