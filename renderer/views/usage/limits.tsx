import { type FormEvent, type ReactNode, useState } from 'react';
import { raiseAnswerSchema, type UsageAnswer } from '../../../shared/protocol/bridge.ts';
import type { Fault } from '../../../shared/viewing/fault.ts';
import { newUuid } from '../../ports.ts';
import { may } from '../../store/window-state.ts';
import { moneyText } from '../../text/time-text.ts';
import { useActs, useText, useWindow } from '../../ui/window-context.tsx';

/** The limits that hold for everything, and a field that raises the daily one (owner). */
export function Limits({ answer, onRaised }: { answer: UsageAnswer; onRaised: () => void }): ReactNode {
  const text = useText();
  const { usage } = text.views;
  const { limits } = answer;
  const isOwner = useWindow((state) => may(state, 'owner'));
  const money = (micro: number | null): string => (micro === null ? usage.noLimit : moneyText(micro));
  const tokens = limits.sessionDayTokens;
  const rows = [
    [usage.limits.day, money(limits.dayMicroUsd)],
    [usage.limits.sessionTokens, tokens === null ? usage.noLimit : tokens.toLocaleString()],
    [usage.limits.session, money(limits.sessionMicroUsd)],
    [usage.limits.total, money(limits.totalMicroUsd)],
  ] as const;
  return (
    <section className="usage-limits">
      <dl>
        {rows.map(([title, value]) => (
          <div key={title}>
            <dt className="tone-muted">{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {isOwner && limits.dayMicroUsd !== null ? <Raise onRaised={onRaised} /> : null}
    </section>
  );
}

function Raise({ onRaised }: { onRaised: () => void }): ReactNode {
  const text = useText();
  const { usage } = text.views;
  const { ask } = useActs();
  const [outcome, setOutcome] = useState<{ most: number } | { fault: Fault } | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const by = Number(new FormData(event.currentTarget).get('by'));
    if (!(by > 0)) return;
    const request = { path: '/usage/raise', body: { limit: 'day', by, uuid: newUuid() } };
    void ask(request, raiseAnswerSchema).then((asked) => {
      setOutcome(asked.ok ? { most: asked.value.most } : { fault: asked.fault });
      if (asked.ok) onRaised();
    });
  };
  return (
    <form className="usage-raise" onSubmit={submit}>
      <label className="field">
        <span className="field-label">{usage.raiseBy}</span>
        <input className="input" name="by" type="number" min="0.5" step="0.5" max="1000" defaultValue="5" />
      </label>
      <button type="submit" className="button">
        {usage.raise}
      </button>
      {outcome === null ? null : 'most' in outcome ? (
        <p role="status">{usage.raised(moneyText(outcome.most))}</p>
      ) : (
        <p role="alert" className="tone-danger">
          {outcome.fault.message} {outcome.fault.next}
        </p>
      )}
    </form>
  );
}
