import type { ReactNode } from 'react';
import { may } from '../../store/window-state.ts';
import { useActs, useText, useWindow } from '../../ui/window-context.tsx';
import { ViewFrame } from '../view-frame/view-frame.tsx';
import { Decided } from './decided.tsx';
import { Pending } from './pending.tsx';
import { Rules } from './rules.tsx';
import './approvals.css';

type Tab = 'pending' | 'decided' | 'rules';

/** What waits for the person, what was decided and by whom, and the rules that decide without asking. */
export function Approvals({ tab }: { tab: Tab }): ReactNode {
  const text = useText();
  const { show } = useActs();
  const pending = useWindow(({ home }) => home?.prompts.length ?? 0);
  const isOwner = useWindow((state) => may(state, 'owner'));
  const tabs: readonly Tab[] = isOwner ? ['pending', 'decided', 'rules'] : ['pending', 'decided'];
  return (
    <ViewFrame title={text.views.approvals.title}>
      <div className="tabs" role="tablist" aria-label={text.views.approvals.title}>
        {tabs.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            id={`tab-${each}`}
            aria-selected={tab === each}
            aria-controls="approvals-panel"
            className="tab"
            onClick={() => show({ kind: 'approvals', tab: each })}
          >
            {text.views.approvals.tabs[each]}
            {each === 'pending' && pending > 0 ? ` ${pending}` : ''}
          </button>
        ))}
      </div>
      <div id="approvals-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === 'pending' ? <Pending /> : tab === 'decided' ? <Decided /> : <Rules />}
      </div>
    </ViewFrame>
  );
}
