import type { ReactNode, RefObject } from 'react';
import { Diff } from '../../ui/diff/diff.tsx';
import { isUnifiedDiff } from '../../ui/diff/parse-diff.ts';
import { useText } from '../../ui/window-context.tsx';
import { stopFocusProps } from '../shell/stops.ts';

/** The whole text that is decided on, wrapped, nothing left out; a diff with its paths, line numbers and signs. */
export function Preview(props: {
  readonly preview: string;
  readonly box: RefObject<HTMLDivElement | null>;
}): ReactNode {
  const { preview, box } = props;
  const text = useText();
  return (
    <div
      ref={box}
      className="preview"
      role="group"
      tabIndex={0}
      aria-label={text.prompt.whole}
      {...stopFocusProps}
    >
      {isUnifiedDiff(preview) ? <Diff text={preview} canSplit={false} /> : <pre>{preview}</pre>}
    </div>
  );
}
