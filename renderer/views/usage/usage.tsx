import { type ReactNode, useState } from 'react';
import { usageAnswerSchema, type UsageAnswer } from '../../../shared/protocol/bridge.ts';
import { moneyText } from '../../text/time-text.ts';
import { Select } from '../../ui/select.tsx';
import { useAnswer } from '../../ui/use-answer.ts';
import { useText } from '../../ui/window-context.tsx';
import { ViewFrame, ViewWaiting } from '../view-frame/view-frame.tsx';
import { Limits } from './limits.tsx';
import { UsageTable } from './usage-table.tsx';
import './usage.css';

const spans = ['1', '7', '30', '90'] as const;
const groups = ['day', 'session', 'model', 'cause', 'purpose'] as const;

/** What was spent, on what, and how much may be. */
export function Usage(): ReactNode {
  const text = useText();
  const [days, setDays] = useState<(typeof spans)[number]>('7');
  const [by, setBy] = useState<UsageAnswer['by']>('day');
  const { value, fault, again } = useAnswer(`/usage?days=${days}&by=${by}`, usageAnswerSchema);
  const { usage } = text.views;
  return (
    <ViewFrame title={usage.title}>
      {value === null ? (
        <ViewWaiting fault={fault} again={again} />
      ) : (
        <>
          <Sums answer={value} />
          <Limits answer={value} onRaised={again} />
        </>
      )}
      <div className="view-filters">
        <Select
          label={usage.days}
          value={days}
          options={spans.map((span) => ({ value: span, label: usage.lastDays(Number(span)) }))}
          onChoose={setDays}
        />
        <Select
          label={usage.groupedBy}
          value={by}
          options={groups.map((group) => ({ value: group, label: usage.by[group] }))}
          onChoose={setBy}
        />
      </div>
      {value === null ? null : <UsageTable answer={value} />}
    </ViewFrame>
  );
}

function Sums({ answer }: { answer: UsageAnswer }): ReactNode {
  const text = useText();
  const { usage } = text.views;
  const { spent, limits } = answer;
  const sums = [
    { title: usage.today, spent: spent.dayMicroUsd, limit: limits.dayMicroUsd },
    { title: usage.total, spent: spent.totalMicroUsd, limit: limits.totalMicroUsd },
  ];
  return (
    <dl className="usage-sums">
      {sums.map(({ title, spent: sum, limit }) => (
        <div key={title}>
          <dt className="view-meta">{title}</dt>
          <dd className="usage-sum">{moneyText(sum)}</dd>
          <dd>
            <Meter spent={sum} limit={limit} />
          </dd>
          <dd className="view-meta">
            {limit === null ? usage.noLimit : usage.of(moneyText(sum), moneyText(limit))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** How much of a limit is used; nothing where there is none. The numbers stand beside it. */
function Meter({ spent, limit }: { spent: number; limit: number | null }): ReactNode {
  if (limit === null || limit === 0) return null;
  const share = Math.min(1, spent / limit);
  return (
    <div className={`meter${share >= 1 ? ' is-full' : ''}`} aria-hidden="true">
      <div style={{ width: `${share * 100}%` }} />
    </div>
  );
}
