import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { visibleText } from '../../../shared/base/visible-text.ts';
import type { CallItem } from '../../../shared/session/session-view-items.ts';
import { callSubject, fitsLine } from '../../../shared/viewing/call-subject.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/code/copy-button.tsx';
import { Diff } from '../../ui/diff/diff.tsx';
import { useText, useWindow } from '../../ui/window-context.tsx';
import { type CallChange, callChange, changeDiff } from './call-change.ts';
import { callOutput, outputEdges } from './call-output.ts';

/** A call opened: the whole command or change, its result by its edges, and who decided. */
export function CallBody({ session, call }: { session: string; call: CallItem }): ReactNode {
  const text = useText();
  const subject = callSubject(call.input);
  const change = useMemo(() => callChange(call.tool, call.input), [call.tool, call.input]);
  return (
    <div className="call-body">
      {fitsLine(subject) || change !== null ? null : <pre className="code-block">{subject}</pre>}
      {change === null ? null : <ChangeDiff change={change} />}
      <Output session={session} call={call} />
      {call.spill === null ? null : <p className="message-meta">{text.calls.spilled}</p>}
      <p className="message-meta">
        {text.calls.decision}: {call.decision.by}
        {call.decision.rule === null ? '' : ` · ${call.decision.rule}`}
      </p>
    </div>
  );
}

/** The diff is made when it is looked at: its library is a chunk of its own. */
function ChangeDiff({ change }: { change: CallChange }): ReactNode {
  const [diff, setDiff] = useState<string | null>(null);
  useEffect(() => {
    let isOver = false;
    import('./unified-diff.ts').then(
      ({ unifiedDiff }) => {
        if (!isOver) setDiff(changeDiff(change, unifiedDiff));
      },
      (error: unknown) => reportError(error),
    );
    return () => {
      isOver = true;
    };
  }, [change]);
  return diff === null ? null : <Diff text={visibleText(diff)} />;
}

function Output({ session, call }: { session: string; call: CallItem }): ReactNode {
  const text = useText();
  const whole = useWindow(({ pages, past }) => {
    if (call.endedAt === null) return null;
    return (
      callOutput(past[session]?.events ?? [], call.call) ??
      callOutput(pages[session]?.events ?? [], call.call)
    );
  });
  const [isAll, setAll] = useState(false);
  const output = visibleText(whole ?? call.head ?? '');
  if (output === '') return null;
  const { head, tail, hidden } = outputEdges(output);
  if (hidden === 0 || isAll)
    return (
      <div className="long-output">
        <pre className="code-block call-head">{output}</pre>
        <p className="long-output-acts">
          {hidden === 0 ? null : (
            <Button look="quiet" onPress={() => setAll(false)}>
              {text.calls.showLess}
            </Button>
          )}
          <CopyButton text={whole ?? output} />
        </p>
      </div>
    );
  return (
    <div className="long-output">
      <pre className="code-block call-head">{head}</pre>
      <p className="long-output-gap">{text.calls.hiddenLines(hidden)}</p>
      <pre className="code-block call-head">{tail}</pre>
      <p className="long-output-acts">
        <Button look="quiet" onPress={() => setAll(true)}>
          {text.calls.showAll}
        </Button>
        <CopyButton text={whole ?? output} />
      </p>
    </div>
  );
}
