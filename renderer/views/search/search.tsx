import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { searchHitsSchema, type SearchHit } from '../../../shared/protocol/window-views.ts';
import { sessionTitle } from '../../store/session-order.ts';
import { Button } from '../../ui/button.tsx';
import { Ago } from '../../ui/time.tsx';
import { useAnswer } from '../../ui/use-answer.ts';
import { useActs, useText, useWindow, useWindowClock } from '../../ui/window-context.tsx';
import { stopFocusProps } from '../shell/stops.ts';
import { ViewFrame, ViewWaiting } from '../view-frame/view-frame.tsx';
import { markWords } from './mark-words.ts';
import './search.css';

/** Typing that pauses this long is asked for, ms. */
const pauseMs = 250;
const mostHits = 100;

/** Full-text search over all conversations, or over one. */
export function Search({ session, words }: { session: string | null; words: string }): ReactNode {
  const text = useText();
  const { show, goTo } = useActs();
  const name = useSessionName(session);
  const [typed, setTyped] = useState(words);
  const wanted = useSettled(typed.trim());
  const path = wanted === '' ? null : pathOf(wanted, session);
  const { value, fault, isLoading, again } = useAnswer(path, searchHitsSchema);
  const open = (hit: SearchHit): void => {
    show({ kind: 'session', id: hit.session });
    goTo(hit.session, hit.seq);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const first = isLoading ? undefined : value?.[0];
    if (first !== undefined && wanted === typed.trim()) open(first);
  };
  const title = session === null ? text.views.search.title : text.views.search.titleHere(name);
  return (
    <ViewFrame title={title}>
      <form className="view-filters" role="search" onSubmit={submit}>
        <SearchField words={words} onType={setTyped} />
        {session === null ? null : (
          <Button onPress={() => show({ kind: 'search', session: null, words: typed })}>
            {text.views.search.everywhere}
          </Button>
        )}
      </form>
      {path === null ? <p className="tone-muted">{text.views.search.hint}</p> : null}
      {path !== null && (value === null || fault !== null) ? (
        <ViewWaiting fault={fault} again={again} />
      ) : null}
      {path === null || value === null ? null : <Hits hits={value} words={wanted} onOpen={open} />}
    </ViewFrame>
  );
}

/** The field is where a person who asked for the search types next. */
function SearchField({ words, onType }: { words: string; onType: (words: string) => void }): ReactNode {
  const text = useText();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <label className="field is-wide">
      <span className="field-label">{text.views.search.label}</span>
      <input
        ref={field}
        className="input"
        type="search"
        name="words"
        defaultValue={words}
        placeholder={text.views.search.placeholder}
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        onInput={(event) => onType(event.currentTarget.value)}
        {...stopFocusProps}
      />
    </label>
  );
}

function Hits(props: {
  readonly hits: readonly SearchHit[];
  readonly words: string;
  readonly onOpen: (hit: SearchHit) => void;
}): ReactNode {
  const { hits, words, onOpen } = props;
  const text = useText();
  const sessions = useWindow(({ home }) => home?.sessions);
  if (hits.length === 0) return <p className="tone-muted">{text.views.search.none}</p>;
  const titleOf = (id: string): string => {
    const known = sessions?.find((one) => one.id === id);
    return known === undefined ? id : sessionTitle(known);
  };
  return (
    <>
      <p className="view-meta">{text.views.search.count(hits.length)}</p>
      <ul className="view-list">
        {hits.map((hit) => (
          <li key={`${hit.session}-${hit.seq}`}>
            <button type="button" className="hit" onClick={() => onOpen(hit)}>
              <span className="hit-head">
                <strong>{titleOf(hit.session)}</strong>
                <span className="view-meta">
                  <Ago at={hit.at} />
                </span>
              </span>
              <span className="hit-text">
                {markWords(hit.text, words).map(({ text: piece, isMarked }, index) =>
                  isMarked ? <mark key={index}>{piece}</mark> : piece,
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function useSessionName(session: string | null): string {
  return useWindow(({ home }) => {
    const known = home?.sessions.find(({ id }) => id === session);
    return known === undefined ? (session ?? '') : sessionTitle(known);
  });
}

/** What was typed, once typing pauses. */
function useSettled(typed: string): string {
  const clock = useWindowClock();
  const [settled, setSettled] = useState(typed);
  useEffect(() => clock.after(pauseMs, () => setSettled(typed)), [clock, typed]);
  return settled;
}

function pathOf(words: string, session: string | null): string {
  const where = session === null ? '' : `&session=${encodeURIComponent(session)}`;
  return `/search?q=${encodeURIComponent(words)}&limit=${mostHits}${where}`;
}
