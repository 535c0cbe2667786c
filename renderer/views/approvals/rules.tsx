import { type ReactNode, useState } from 'react';
import * as z from 'zod/mini';
import {
  ruleViewSchema,
  standingAnswerSchema,
  type StandingRule,
} from '../../../shared/protocol/permissions.ts';
import type { Fault } from '../../../shared/viewing/fault.ts';
import { sessionTitle } from '../../store/session-order.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Select } from '../../ui/select.tsx';
import { useAnswer } from '../../ui/use-answer.ts';
import { useActs, useText, useWindow } from '../../ui/window-context.tsx';
import { ViewWaiting } from '../view-frame/view-frame.tsx';

const storedSchema = z.array(ruleViewSchema);
const none = [] as const;

/** The rules that hold in a session with where each stands, or all that are stored; stored ones can be revoked. */
export function Rules(): ReactNode {
  const text = useText();
  const [where, setWhere] = useState('');
  const sessions = useWindow(({ home }) => home?.sessions ?? none);
  const options = [
    { value: '', label: text.views.approvals.anySession },
    ...sessions.map((session) => ({ value: session.id, label: sessionTitle(session) })),
  ];
  return (
    <div className="rules">
      <div className="view-filters">
        <Select label={text.views.approvals.where} value={where} options={options} onChoose={setWhere} />
      </div>
      {where === '' ? <Stored /> : <Standing session={where} />}
    </div>
  );
}

function Stored(): ReactNode {
  const { value, fault, again } = useAnswer('/rules', storedSchema);
  if (value === null) return <ViewWaiting fault={fault} again={again} />;
  const rules = value.map((rule): StandingRule => {
    const source = rule.session === null ? 'always' : 'session';
    return { ...rule, source, file: null };
  });
  return <RuleList rules={rules} onChanged={again} />;
}

function Standing({ session }: { session: string }): ReactNode {
  const text = useText();
  const path = `/rules/standing?session=${encodeURIComponent(session)}`;
  const { value, fault, again } = useAnswer(path, standingAnswerSchema);
  if (value === null) return <ViewWaiting fault={fault} again={again} />;
  return (
    <>
      {value.onlyManagedRules ? <p className="tone-asking">{text.views.approvals.onlyManaged}</p> : null}
      {value.notices.map((notice) => (
        <p key={notice} className="tone-asking">
          {notice}
        </p>
      ))}
      <RuleList rules={value.rules} onChanged={again} />
    </>
  );
}

function RuleList({
  rules,
  onChanged,
}: {
  rules: readonly StandingRule[];
  onChanged: () => void;
}): ReactNode {
  const text = useText();
  const { ask } = useActs();
  const [fault, setFault] = useState<Fault | null>(null);
  const revoke = (id: string): void => {
    void ask({ method: 'DELETE', path: `/rules/${encodeURIComponent(id)}` }, z.unknown()).then((asked) => {
      setFault(asked.ok ? null : asked.fault);
      onChanged();
    });
  };
  if (rules.length === 0) return <p className="tone-muted">{text.views.approvals.noneRules}</p>;
  return (
    <>
      {fault === null ? null : (
        <p role="alert" className="tone-danger">
          {fault.message} {fault.next}
        </p>
      )}
      <ul className="view-list">
        {rules.map((rule, index) => (
          <RuleRow key={`${rule.id ?? ''} ${index}`} rule={rule} onRevoke={revoke} />
        ))}
      </ul>
    </>
  );
}

const looks = {
  allow: { icon: 'check', tone: 'ok' },
  ask: { icon: 'question', tone: 'asking' },
  deny: { icon: 'cross', tone: 'danger' },
} as const;

function RuleRow({ rule, onRevoke }: { rule: StandingRule; onRevoke: (id: string) => void }): ReactNode {
  const text = useText();
  const { approvals } = text.views;
  const { id, effect, source, file } = rule;
  const where =
    rule.session === null ? approvals.everywhere : approvals.only(rule.sessionName ?? rule.session);
  return (
    <li className="view-row">
      <Icon name={looks[effect].icon} tone={looks[effect].tone} />
      <div className="view-row-words">
        <p>
          <strong>{approvals.effects[effect]}</strong> <code>{rule.rule}</code>
        </p>
        <p className="view-meta">
          {approvals.sources[source]}
          {file === null ? ` · ${where}` : ` · ${file}`}
        </p>
      </div>
      {id === null ? null : <Button onPress={() => onRevoke(id)}>{approvals.revoke}</Button>}
    </li>
  );
}
