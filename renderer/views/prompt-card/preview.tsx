import type { ReactNode, RefObject } from 'react';
import { useText } from '../../ui/window-context.tsx';
import { stopFocusProps } from '../shell/stops.ts';

const hunk = /^@@ .* @@/m;

/** The whole text that is decided on, wrapped, nothing left out. In a diff added and removed lines keep their signs. */
export function Preview(props: {
  readonly preview: string;
  readonly box: RefObject<HTMLPreElement | null>;
}): ReactNode {
  const { preview, box } = props;
  const text = useText();
  const isDiff = hunk.test(preview);
  return (
    <pre ref={box} className="preview" tabIndex={0} aria-label={text.prompt.whole} {...stopFocusProps}>
      {isDiff
        ? preview
            .replace(/\n$/, '')
            .split('\n')
            .map((line, index) => <DiffLine key={index} line={line} />)
        : preview}
    </pre>
  );
}

function DiffLine({ line }: { line: string }): ReactNode {
  const isHeader = line.startsWith('+++') || line.startsWith('---');
  const kind = isHeader ? '' : line.startsWith('+') ? ' is-added' : line.startsWith('-') ? ' is-removed' : '';
  return <span className={`diff-line${kind}`}>{line}</span>;
}
