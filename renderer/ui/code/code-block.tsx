import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useText } from '../window-context.tsx';
import { CopyButton } from './copy-button.tsx';
import type { CodeToken } from './highlight.ts';
import { knownLanguage } from './languages.ts';
import './code-block.css';

/** Longer code is shown plain: colouring it would hold up the window, characters. */
const longestColoured = 30_000;

type Lines = readonly (readonly CodeToken[])[];

/** A block of code with its language and a button that copies it; coloured once it is in sight and no longer grows. */
export function CodeBlock(props: {
  readonly language: string;
  readonly text: string;
  readonly isGrowing: boolean;
}): ReactNode {
  const { language, text, isGrowing } = props;
  const words = useText();
  const box = useRef<HTMLDivElement>(null);
  const lines = useHighlight(box, text, isGrowing ? null : knownLanguage(language));
  return (
    <div className="code" ref={box}>
      <div className={`code-head${language === '' ? ' is-bare' : ''}`}>
        <span>{language}</span>
        <CopyButton text={text} />
      </div>
      {/* Code that is wider than the column scrolls, so it has to be reachable by keyboard. */}
      <pre className="code-text" tabIndex={0} role="group" aria-label={words.code.label(language)}>
        <code>{lines === null ? text : <Coloured lines={lines} />}</code>
      </pre>
    </div>
  );
}

function Coloured({ lines }: { lines: Lines }): ReactNode {
  return lines.map((line, index) => (
    <span key={index}>
      {line.map(({ text, colour }, place) =>
        colour === null ? (
          text
        ) : (
          <span key={place} style={{ color: colour }}>
            {text}
          </span>
        ),
      )}
      {index === lines.length - 1 ? '' : '\n'}
    </span>
  ));
}

/** The coloured lines, null until they are there; the colours' code comes with the first block in sight. */
function useHighlight(
  box: RefObject<HTMLElement | null>,
  text: string,
  language: string | null,
): Lines | null {
  const [done, setDone] = useState<{ readonly text: string; readonly lines: Lines } | null>(null);
  useEffect(() => {
    if (box.current === null || language === null || text.length > longestColoured) return undefined;
    let isOver = false;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      import('./highlight.ts')
        .then(({ highlight }) => highlight(text, language))
        .then((lines) => {
          if (!isOver) setDone({ text, lines });
        })
        .catch((error: unknown) => {
          // The daemon may be away and the chunk with it: plain code is as good to read.
          if (!isOver) setDone(null);
          reportError(error);
        });
    });
    observer.observe(box.current);
    return () => {
      isOver = true;
      observer.disconnect();
    };
  }, [box, text, language]);
  return done?.text === text ? done.lines : null;
}
