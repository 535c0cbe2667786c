import { type ReactNode, useState } from 'react';
import { settingsAnswerSchema, type SettingsAnswer } from '../../../shared/protocol/window-views.ts';
import { useAnswer } from '../../ui/use-answer.ts';
import { useText } from '../../ui/window-context.tsx';
import { stopFocusProps } from '../shell/stops.ts';
import { ViewFrame, ViewWaiting } from '../view-frame/view-frame.tsx';
import './settings.css';

type Entry = SettingsAnswer['entries'][number];

/** Every setting as it holds, with who says so. They are changed in the file, which stays the one place. */
export function Settings(): ReactNode {
  const text = useText();
  const { settings } = text.views;
  const { value, fault, again } = useAnswer('/settings', settingsAnswerSchema);
  const [wanted, setWanted] = useState('');
  return (
    <ViewFrame title={settings.title}>
      <label className="field">
        <span className="field-label">{settings.search}</span>
        <input
          className="input"
          type="search"
          name="setting"
          autoComplete="off"
          spellCheck={false}
          onInput={(event) => setWanted(event.currentTarget.value)}
          {...stopFocusProps}
        />
      </label>
      {value === null ? (
        <ViewWaiting fault={fault} again={again} />
      ) : (
        <>
          <p className="view-meta">
            {settings.readOnly} <code>{value.file}</code>
          </p>
          {value.notices.map((notice) => (
            <p key={notice} className="tone-danger">
              {notice}
            </p>
          ))}
          <Entries entries={value.entries.filter((entry) => fits(entry, wanted))} />
        </>
      )}
    </ViewFrame>
  );
}

/** Every word that was typed stands in the name, the value or the source. */
function fits({ name, value, source }: Entry, wanted: string): boolean {
  const text = `${name} ${value} ${source}`.toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function Entries({ entries }: { entries: readonly Entry[] }): ReactNode {
  const text = useText();
  const { settings } = text.views;
  if (entries.length === 0) return <p className="tone-muted">{settings.none}</p>;
  return (
    <dl className="settings">
      {entries.map(({ name, value, source, later }) => (
        <div key={name} className="setting">
          <dt>
            <code>{name}</code>
          </dt>
          <dd className="setting-value">
            <code>{value}</code>
          </dd>
          <dd className={`setting-source${source === 'default' ? ' tone-muted' : ''}`}>
            {settings.sources[source]}
            {later ? <span className="view-meta tone-asking"> {settings.later}</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}
