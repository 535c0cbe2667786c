import { type ReactNode, useState } from 'react';
import type { SessionView } from '../../../shared/protocol/bridge.ts';
import { sessionTitle } from '../../store/session-order.ts';
import { may } from '../../store/window-state.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { stateLook } from '../../ui/state-look.ts';
import { useNarrow } from '../../ui/use-narrow.ts';
import { useActs, useText, useWindow } from '../../ui/window-context.tsx';
import { SessionOptions } from '../session-options/session-options.tsx';
import { PaneHead } from '../shell/pane-head.tsx';
import { Rename } from './rename.tsx';
import { useStateText } from './use-state-text.ts';
import { useSession } from './use-session.ts';

/** What the session is called, what it does, and what its owner may do with it. */
export function SessionHead({ session: id }: { session: string }): ReactNode {
  const session = useSession(id);
  const isOwner = useWindow((state) => may(state, 'owner'));
  const [isRenaming, setRenaming] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  if (session === null) return <PaneHead title={id} />;
  if (isRenaming) {
    return <PaneHead title={null} detail={<Rename session={session} onDone={() => setRenaming(false)} />} />;
  }
  return (
    <>
      <PaneHead
        title={<Title session={session} onRename={isOwner ? () => setRenaming(true) : null} />}
        detail={<StateLine session={session} />}
      >
        <DetailToggle />
        {isOwner ? (
          <>
            <OptionsToggle isOpen={isChoosing} onPress={() => setChoosing(!isChoosing)} />
            <StopButton session={session} />
          </>
        ) : null}
      </PaneHead>
      {isChoosing ? <SessionOptions session={session} /> : null}
    </>
  );
}

function OptionsToggle({ isOpen, onPress }: { isOpen: boolean; onPress: () => void }): ReactNode {
  const text = useText();
  const label = text.views.session.options;
  return (
    <button
      type="button"
      className="icon-button"
      title={label}
      aria-label={label}
      aria-expanded={isOpen}
      onClick={onPress}
    >
      <Icon name="sliders" />
    </button>
  );
}

function Title({ session, onRename }: { session: SessionView; onRename: (() => void) | null }): ReactNode {
  const text = useText();
  return (
    <>
      {sessionTitle(session)}
      {onRename === null ? null : (
        <span className="title-rename">
          <IconButton icon="pencil" label={text.form.rename} onPress={onRename} />
        </span>
      )}
    </>
  );
}

function StateLine({ session }: { session: SessionView }): ReactNode {
  const text = useText();
  const { icon, tone } = stateLook(session);
  const words = useStateText(session);
  return (
    <div className="session-line">
      <span className={`session-state tone-${tone}${session.state === 'working' ? ' is-working' : ''}`}>
        <Icon name={icon} />
        {words}
      </span>
      <span>{text.views.session.modes[session.mode]}</span>
      <span className="session-model">{session.model}</span>
      <span className="session-dir" title={session.dir}>
        {session.dir}
      </span>
    </div>
  );
}

function DetailToggle(): ReactNode {
  const text = useText();
  const { setDetailed } = useActs();
  const isDetailed = useWindow((state) => state.isDetailed);
  return (
    <label className="detail-toggle" title={text.history.detailHint}>
      <input
        type="checkbox"
        checked={isDetailed}
        onChange={(event) => setDetailed(event.currentTarget.checked)}
      />
      {text.history.detail}
    </label>
  );
}

/** Only where there is something to stop. */
function StopButton({ session }: { session: SessionView }): ReactNode {
  const text = useText();
  const isNarrow = useNarrow();
  const { stop } = useActs();
  const isBusy = session.state === 'working' || session.state === 'queued' || session.openPrompts > 0;
  if (!isBusy) return null;
  if (isNarrow) return <IconButton icon="stop" label={text.states.stop} onPress={() => stop(session.id)} />;
  return (
    <Button onPress={() => stop(session.id)}>
      <Icon name="stop" />
      {text.states.stop}
    </Button>
  );
}
