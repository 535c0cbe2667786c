import type { ReactNode } from 'react';
import { permissionModeSchema } from '../../../shared/domain/sessions.ts';
import type { SessionView } from '../../../shared/protocol/bridge.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { useActs, useText } from '../../ui/window-context.tsx';
import { useModelOptions } from './use-models.ts';
import './session-options.css';

/** What an owner chooses for a session; each holds from its next step on and is shown as the daemon confirms it. */
export function SessionOptions({ session }: { session: SessionView }): ReactNode {
  const text = useText();
  const words = text.views.session;
  const { setMode, setModel, setBrief, pause, resume, archive } = useActs();
  const models = useModelOptions(session.model);
  const modes = permissionModeSchema.options.map((mode) => ({ value: mode, label: words.modes[mode] }));
  return (
    <section className="session-options" aria-label={words.options}>
      <Select
        label={words.mode}
        value={session.mode}
        options={modes}
        onChoose={(mode) => setMode(session.id, mode)}
      />
      <Select
        label={words.model}
        value={session.model}
        options={models}
        onChoose={(model) => setModel(session.id, model)}
      />
      <label className="session-brief" title={words.briefHint}>
        <input
          type="checkbox"
          checked={session.brief ?? false}
          onChange={(event) => setBrief(session.id, event.currentTarget.checked)}
        />
        {words.brief}
      </label>
      <div className="session-options-acts">
        <Button look="quiet" onPress={() => (session.paused ? resume(session.id) : pause(session.id))}>
          {session.paused ? text.states.resume : words.pause}
        </Button>
        <Button look="quiet" onPress={() => archive(session.id)}>
          {words.archive}
        </Button>
      </div>
      <p className="session-mode-hint">{words.modeHints[session.mode]}</p>
    </section>
  );
}
