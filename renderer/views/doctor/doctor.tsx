import type { ReactNode } from 'react';
import { doctorReportSchema, type DoctorCheck, type DoctorReport } from '../../../shared/protocol/bridge.ts';
import { fullTimeText, momentText } from '../../text/time-text.ts';
import type { WindowText } from '../../text/window-text.ts';
import { may } from '../../store/window-state.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/code/copy-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useAnswer } from '../../ui/use-answer.ts';
import { useNow } from '../../ui/use-now.ts';
import { useText, useWindow } from '../../ui/window-context.tsx';
import { ViewFrame, ViewWaiting } from '../view-frame/view-frame.tsx';
import './doctor.css';

/** What is wrong now and what to do about it; for an owner also everything that was looked at. */
export function Doctor(): ReactNode {
  const text = useText();
  const isOwner = useWindow((state) => may(state, 'owner'));
  const { value, fault, isLoading, again } = useAnswer(isOwner ? '/doctor' : null, doctorReportSchema);
  const { doctor } = text.views;
  const acts = isOwner ? (
    <>
      <Button look="quiet" isDisabled={isLoading} onPress={again}>
        {isLoading ? doctor.checking : doctor.again}
      </Button>
      {value === null ? null : <CopyButton label={doctor.copy} text={reportText(value)} />}
    </>
  ) : null;
  return (
    <ViewFrame title={doctor.title} acts={acts}>
      <Problems />
      {isOwner && value === null ? <ViewWaiting fault={fault} again={again} /> : null}
      {value === null ? null : <Checks checks={value.checks} />}
    </ViewFrame>
  );
}

const none = [] as const;

function Problems(): ReactNode {
  const text = useText();
  const now = useNow(60_000);
  const problems = useWindow(({ home }) => home?.problems ?? none);
  if (problems.length === 0) return <p className="tone-ok">{text.views.doctor.good}</p>;
  return (
    <ul className="view-list">
      {problems.map(({ code, message, next, since }) => (
        <li key={code} className="view-row">
          <Icon name="problem" tone="danger" />
          <div className="view-row-words">
            <p>{message}</p>
            <p className="tone-muted">{next}</p>
            <p className="view-meta">
              <code>{code}</code>{' '}
              <span title={fullTimeText(text, since)}>
                {text.problems.since(momentText(text, since, now))}
              </span>
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

const looks = {
  fail: { icon: 'cross', tone: 'danger' },
  warn: { icon: 'problem', tone: 'asking' },
  ok: { icon: 'check', tone: 'ok' },
} as const;
const order = ['fail', 'warn', 'ok'] as const;

/** What is wrong first. */
function Checks({ checks }: { checks: readonly DoctorCheck[] }): ReactNode {
  const text = useText();
  const sorted = order.flatMap((state) => checks.filter((check) => check.state === state));
  return (
    <ul className="view-list">
      {sorted.map((check) => (
        <li key={check.name} className="view-row is-tight">
          <Icon
            name={looks[check.state].icon}
            tone={looks[check.state].tone}
            label={stateWord(text, check.state)}
          />
          <div className="view-row-words">
            <p>
              <strong>{check.name}</strong> {check.detail}
            </p>
            {check.next === '' ? null : <p className="tone-muted">{check.next}</p>}
          </div>
        </li>
      ))}
    </ul>
  );
}

function stateWord(text: WindowText, state: DoctorCheck['state']): string {
  return text.views.doctor.states[state];
}

/** The report as a person pastes it into a message: in English, as `kairos doctor` has it. */
function reportText({ version, checks }: DoctorReport): string {
  const lines = checks.map(
    ({ name, state, detail, next }) =>
      `${state.padEnd(4)} ${name}: ${detail}${next === '' ? '' : ` (${next})`}`,
  );
  return [`Kairos ${version}`, ...lines].join('\n');
}
