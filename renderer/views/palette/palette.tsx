import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Icon } from '../../ui/icons.tsx';
import { keysOf } from '../../ui/use-keys.ts';
import { useActs, useText, useWindow } from '../../ui/window-context.tsx';
import { type PaletteAct, type PaletteEntry, paletteEntries } from './palette-entries.ts';
import './palette.css';

/** Goes to anything by typing a part of its name: a layer that Escape closes. */
export function Palette(): ReactNode {
  const text = useText();
  const { setPaletteOpen } = useActs();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label={text.views.palette.label}
      onClose={() => setPaletteOpen(false)}
      onClick={(event) => {
        // The dialog itself is only what lies around its content.
        if (event.target === event.currentTarget) event.currentTarget.close();
      }}
    >
      <Chooser onDone={() => dialog.current?.close()} />
    </dialog>
  );
}

function Chooser({ onDone }: { onDone: () => void }): ReactNode {
  const text = useText();
  const { palette } = text.views;
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const entries = useEntries(typed);
  const run = useRun();
  const choose = (entry: PaletteEntry | undefined): void => {
    if (entry === undefined) return;
    onDone();
    run(entry.act);
  };
  const onKey = keysOf(({ key }) => {
    if (key === 'Enter') choose(entries[chosen]);
    else if (key === 'ArrowDown') setChosen((chosen + 1) % Math.max(1, entries.length));
    else if (key === 'ArrowUp') setChosen((chosen + entries.length - 1) % Math.max(1, entries.length));
    else return false;
    return true;
  });
  return (
    <div className="palette-body">
      <input
        className="palette-field"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={entries.length === 0 ? undefined : `palette-${chosen}`}
        aria-label={palette.label}
        placeholder={palette.placeholder}
        autoComplete="off"
        spellCheck={false}
        onKeyDown={onKey}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(0);
        }}
      />
      {entries.length === 0 ? <p className="palette-none">{palette.none}</p> : null}
      <ul id="palette-list" role="listbox" aria-label={palette.label}>
        {entries.map((entry, index) => (
          <li
            key={entry.key}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === chosen}
            className="palette-entry"
            // The field keeps the focus: it is where the keys go.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(entry)}
          >
            <Icon name={entry.icon} tone={entry.tone} />
            <span className="palette-title">{entry.title}</span>
            <span className="view-meta">{entry.detail}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function useEntries(typed: string): readonly PaletteEntry[] {
  const text = useText();
  const state = useWindow((whole) => whole);
  return useMemo(() => paletteEntries(text, state, typed), [text, state, typed]);
}

function useRun(): (act: PaletteAct) => void {
  const { show, pauseAll, setDetailed, setHelpOpen } = useActs();
  const isDetailed = useWindow((state) => state.isDetailed);
  return (act) => {
    switch (act.kind) {
      case 'show':
        return show(act.pane);
      case 'pauseAll':
        return pauseAll(act.paused);
      case 'detail':
        return setDetailed(!isDetailed);
      case 'help':
        return setHelpOpen(true);
    }
  };
}
