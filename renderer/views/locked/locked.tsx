import type { ReactNode } from 'react';
import { CopyCommand } from '../../ui/copy-command.tsx';
import { useText, useWindow } from '../../ui/window-context.tsx';
import './locked.css';

/** A window without a key (a reload forgets it, a link works once): says how to open it again. */
export function Locked(): ReactNode {
  const text = useText();
  const link = useWindow((state) => state.link);
  const isOutdated = link.kind === 'outdated';
  const refusal = link.kind === 'refused' && link.fault.code !== 'unauthorized' ? link.fault : null;
  const title = isOutdated
    ? text.link.outdatedTitle
    : refusal === null
      ? text.link.lockedTitle
      : text.link.refusedTitle;
  return (
    <main className="locked">
      <h1>{title}</h1>
      {refusal === null ? null : (
        <p>
          {refusal.message} {refusal.next}
        </p>
      )}
      <p className="tone-muted">{isOutdated ? text.link.outdatedText : text.link.lockedText}</p>
      <CopyCommand command={text.link.openCommand} />
      <p className="tone-muted">{text.link.openHint}</p>
    </main>
  );
}
