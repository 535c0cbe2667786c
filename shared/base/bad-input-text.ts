import type * as z from 'zod/mini';

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
      return issue.inclusive === false
        ? `must be more than ${issue.minimum}`
        : `must not be less than ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `must not be more than ${issue.maximum}${unitOf(issue.origin)}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'unrecognized_keys':
      return `has unknown members: ${issue.keys.join(', ')}`;
    default:
      return 'is not valid';
  }
}

function unitOf(origin: string): string {
  if (origin === 'array') return ' items';
  return origin === 'string' ? ' characters' : '';
}
