import type { ReactNode } from 'react';
import type { UsageAnswer, UsageSumView } from '../../../shared/protocol/bridge.ts';
import { moneyText } from '../../text/time-text.ts';
import type { WindowText } from '../../text/window-text.ts';
import { useText } from '../../ui/window-context.tsx';

/** The sums as a table whose first column of numbers is drawn too: the plot is the table. */
export function UsageTable({ answer }: { answer: UsageAnswer }): ReactNode {
  const text = useText();
  const { usage } = text.views;
  if (answer.groups.length === 0) return <p className="tone-muted">{usage.empty}</p>;
  const most = Math.max(1, ...answer.groups.map(({ microUsd }) => microUsd));
  const unpriced = answer.groups.reduce((sum, group) => sum + group.unpriced, 0);
  return (
    <div className="table-scroll" tabIndex={0} role="group" aria-label={usage.title}>
      <table className="usage-table">
        <thead>
          <tr>
            <th scope="col">{usage.by[answer.by]}</th>
            <th scope="col">{usage.columns.cost}</th>
            {[usage.columns.requests, usage.columns.input, usage.columns.output, usage.columns.cached].map(
              (title) => (
                <th key={title} scope="col" className="is-number">
                  {title}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {answer.groups.map((group) => (
            <Row key={group.key} group={group} by={answer.by} most={most} />
          ))}
        </tbody>
      </table>
      {unpriced === 0 ? null : <p className="view-meta">{usage.unpriced(unpriced)}</p>}
    </div>
  );
}

function Row(props: { group: UsageSumView; by: UsageAnswer['by']; most: number }): ReactNode {
  const { group, by, most } = props;
  const text = useText();
  const count = (value: number): string => compactNumber(text, value);
  return (
    <tr>
      <th scope="row">{keyText(text, group, by)}</th>
      <td className="usage-bar-cell">
        <span
          className="usage-bar"
          aria-hidden="true"
          style={{ width: `${(group.microUsd / most) * 100}%` }}
        />
        <span className="usage-cost">{moneyText(group.microUsd)}</span>
      </td>
      <td className="is-number">{count(group.requests)}</td>
      <td className="is-number">{count(group.inputTokens)}</td>
      <td className="is-number">{count(group.outputTokens)}</td>
      <td className="is-number">{count(group.cacheReadTokens)}</td>
    </tr>
  );
}

function keyText(text: WindowText, { key, name }: UsageSumView, by: UsageAnswer['by']): string {
  if (by === 'cause' && Object.hasOwn(text.turn.causes, key))
    return text.turn.causes[key as keyof typeof text.turn.causes];
  return name ?? key;
}

/** 1.2k, 3.4M: exact numbers are in the export. */
function compactNumber({ language }: WindowText, value: number): string {
  const locale = language === 'zh' ? 'zh-CN' : 'en-GB';
  return new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(value);
}
