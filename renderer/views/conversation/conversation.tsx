import type { ReactNode } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useActs, useText, useWindow } from '../../ui/window-context.tsx';
import { Composer } from '../composer/composer.tsx';
import { History } from '../history/history.tsx';
import { PromptCard } from '../prompt-card/prompt-card.tsx';
import { SessionHead } from './session-head.tsx';
import { StateBar } from './state-bar.tsx';
import './conversation.css';

/** One session: its history, what it asks above the composer and outside the scroll, and the composer. */
export function Conversation({ session }: { session: string }): ReactNode {
  const text = useText();
  return (
    <>
      <SessionHead session={session} />
      <ErrorBoundary text={text}>
        <History session={session} />
      </ErrorBoundary>
      <FaultBar />
      <StateBar session={session} />
      <ErrorBoundary text={text}>
        <PromptCard session={session} />
      </ErrorBoundary>
      <Composer session={session} />
    </>
  );
}

/** Why the person's last act did not happen. */
function FaultBar(): ReactNode {
  const text = useText();
  const fault = useWindow((state) => state.fault);
  const { dismissFault } = useActs();
  if (fault === null) return null;
  return (
    <div className="bar is-danger" role="alert">
      <Icon name="problem" tone="danger" />
      <p>
        {fault.message} {fault.next}
      </p>
      <IconButton icon="cross" label={text.prompt.dismiss} onPress={dismissFault} />
    </div>
  );
}
