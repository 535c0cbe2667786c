import type * as z from 'zod/mini';
import { errorMessage } from '../../../shared/base/errors.ts';

type Issue = z.core.$ZodIssue;

/** One sentence for the model: which member of a tool's input is wrong and what is wanted there. */
export function badInputText(tool: string, issues: readonly Issue[]): string {
  const first = issues[0];
  if (first === undefined) return `${tool}: the input is not valid.`;
  const place = first.path.map(String).join('.');
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return `${tool}: ${place === '' ? 'the input' : `"${place}"`} ${complaint(first)}${more}. Nothing was done; call it again with valid input.`;
}

function complaint(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be of type ${issue.expected}${issue.input === undefined ? ' and is missing or of another type' : ''}`;
    case 'too_small':
      return `must not be less than ${issue.minimum}${issue.origin === 'string' ? ' characters' : ''}`;
    case 'too_big':
      return `must not be more than ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`;
    case 'unrecognized_keys':
      return `has unknown members: ${issue.keys.join(', ')}`;
    default:
      return 'is not valid';
  }
}

/** Characters of a broken input that are repeated to the model. */
const longestEnd = 60;

/** One sentence for the model: its input was no JSON, and where it broke. */
export function brokenInputText(tool: string, raw: string): string {
  const why = jsonProblem(raw);
  const end = raw.slice(-longestEnd);
  return `${tool}: the input was no JSON object (${why}; its end: ${JSON.stringify(end)}). Nothing was done; call it again with the whole input as one JSON object.`;
}

function jsonProblem(raw: string): string {
  try {
    return `it was ${typeof JSON.parse(raw)}`;
  } catch (error) {
    // The engine's own sentence names the position; what follows it repeats the text.
    return errorMessage(error)
      .replace(/, ?(\.\.\.)?".*$/s, '')
      .replace(/ \(line .*$/s, '');
  }
}
