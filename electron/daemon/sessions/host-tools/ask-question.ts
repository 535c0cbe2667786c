import * as z from 'zod/mini';
import { oneLine, visibleText } from '../../../../shared/base/visible-text.ts';
import type { CallResult } from '../../../../shared/domain/messages.ts';
import type { CallPlan } from '../../events/port.ts';
import type { PromptRow } from '../../events/rows.ts';
import { badInput, failed, type HostInput, ok } from './host-input.ts';

/** Options are lettered A to Z. */
const mostOptions = 26;
const text = z.string().check(z.trim(), z.minLength(1), z.maxLength(4_000));
const askSchema = z.object({
  question: text,
  /** A few words that stand before the question. */
  header: z.optional(z.string().check(z.trim(), z.maxLength(60))),
  options: z._default(
    z.array(z.object({ label: text, description: z.optional(z.string()) })).check(z.maxLength(mostOptions)),
    [],
  ),
  multiple: z._default(z.boolean(), false),
});

/** Asks, or ends the call with what the person said. */
export function planAsk({ facts, prompt, promptLifeMs }: HostInput): CallPlan {
  if (prompt && prompt.state !== 'open') return { do: 'end', result: questionResult(prompt) };
  const { answer, answeredBy } = facts.hook ?? {};
  if (answer !== undefined)
    return {
      do: 'end',
      result: ok(`${answer}\n[Answered by the hook (${answeredBy ?? ''}), not by the person.]`),
    };
  const parsed = askSchema.safeParse(facts.input);
  if (!parsed.success) return badInput('AskUserQuestion', parsed.error);
  const { question, header = '', options, multiple } = parsed.data;
  const twice = options.find(
    ({ label }, index) => options.findIndex((each) => alike(each.label, label)) < index,
  );
  if (twice) return failed(`AskUserQuestion: two options have the label "${twice.label}".`);
  const asked = header === '' ? question : `${header}: ${question}`;
  return {
    do: 'ask',
    prompt: {
      kind: 'question',
      headline: oneLine(asked, 200),
      description: '',
      preview: visibleText(asked),
      options,
      multiple: multiple && options.length > 0,
      rule: null,
      ruleSubject: null,
      dir: facts.cwd,
      lifeMs: promptLifeMs,
    },
  };
}

/** An answer that names a label has to mean one option. */
function alike(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

function questionResult(prompt: PromptRow): CallResult {
  const verdict = prompt.verdict;
  if (verdict?.behavior === 'answer') return ok(verdict.text);
  if (verdict?.behavior === 'deny') {
    const reason = verdict.reason ? `: ${verdict.reason}` : '.';
    return { outcome: 'denied', output: `The person does not want to answer${reason}` };
  }
  return { outcome: 'error', output: 'Nobody answered in time. Go on with what you know, and say so.' };
}
