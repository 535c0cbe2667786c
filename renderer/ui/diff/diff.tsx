import { type ReactNode, useMemo } from 'react';
import { useMedia } from '../use-media.ts';
import { type DiffLine, parseDiff, splitRows } from './parse-diff.ts';
import './diff.css';

/** From this width on what was and what is stand side by side (ux.md section 6). */
const wide = '(min-width: 1100px)';

/** A unified diff with paths, line numbers and signs; nothing of its text is left out. */
export function Diff({ text, canSplit = true }: { text: string; canSplit?: boolean }): ReactNode {
  const { intro, files } = useMemo(() => parseDiff(text), [text]);
  const isSplit = useMedia(wide) && canSplit;
  return (
    <div className={`diff${isSplit ? ' is-split' : ''}`}>
      {intro.length === 0 ? null : <p className="diff-intro">{intro.join('\n')}</p>}
      {files.map(({ path, hunks }, index) => (
        <div key={index} className="diff-file">
          {path === '' ? null : <p className="diff-path">{path}</p>}
          {hunks.map((lines, place) => (
            <div key={place} className="diff-hunk">
              {isSplit ? <SplitLines lines={lines} /> : <Lines lines={lines} />}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

const signs = { same: ' ', added: '+', removed: '-', note: ' ' } as const;

function Lines({ lines }: { lines: readonly DiffLine[] }): ReactNode {
  return lines.map((line, index) => (
    <div key={index} className={`diff-line is-${line.kind}`}>
      <span className="diff-number">{line.before ?? ''}</span>
      <span className="diff-number">{line.after ?? ''}</span>
      <Words line={line} />
    </div>
  ));
}

function SplitLines({ lines }: { lines: readonly DiffLine[] }): ReactNode {
  return splitRows(lines).map(({ left, right }, index) => (
    <div key={index} className="diff-pair">
      <Half line={left} number={left?.before ?? null} />
      <Half line={right} number={right?.after ?? null} />
    </div>
  ));
}

function Half({ line, number }: { line: DiffLine | null; number: number | null }): ReactNode {
  if (line === null) return <div className="diff-line is-none" />;
  return (
    <div className={`diff-line is-${line.kind}`}>
      <span className="diff-number">{number ?? ''}</span>
      <Words line={line} />
    </div>
  );
}

/** The sign is text: colour alone says nothing, and a copy of the lines keeps it. */
function Words({ line }: { line: DiffLine }): ReactNode {
  return (
    <>
      <span className="diff-sign">{signs[line.kind]}</span>
      <span className="diff-text">{line.text}</span>
    </>
  );
}
