import type { ReactNode } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { useNarrow } from '../../ui/use-narrow.ts';
import { useActs, useText } from '../../ui/window-context.tsx';
import './pane-head.css';

/** The head of a pane: the way back where one pane fits, the title (null: `detail` stands for it), and what can be done. */
export function PaneHead(props: {
  readonly title: ReactNode;
  readonly detail?: ReactNode;
  readonly children?: ReactNode;
}): ReactNode {
  const text = useText();
  const isNarrow = useNarrow();
  const { show } = useActs();
  return (
    <header className="pane-head">
      {isNarrow ? (
        <IconButton icon="back" label={text.sidebar.back} onPress={() => show({ kind: 'none' })} />
      ) : null}
      <div className="pane-head-words">
        {props.title === null ? null : <h1>{props.title}</h1>}
        {props.detail}
      </div>
      {props.children}
    </header>
  );
}
