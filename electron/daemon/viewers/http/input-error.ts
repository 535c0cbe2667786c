import type * as z from 'zod/mini';

type Issue = z.core.$ZodIssue;

/** One sentence that names what is wrong with a body: fields and what they have to be, never their values. */
export function inputError(issues: readonly Issue[]): string {
  return `The body is not as expected: ${issues.slice(0, 3).map(describe).join('; ')}.`;
}

function describe(issue: Issue): string {
  const field = issue.path.length === 0 ? 'the body' : `"${issue.path.map(String).join('.')}"`;
  switch (issue.code) {
    case 'invalid_type':
      return `${field} has to be of type ${issue.expected}`;
    case 'invalid_value':
      return `${field} has to be ${listed(issue.values)}`;
    case 'unrecognized_keys':
      return `${field} has the unknown field ${listed(issue.keys.map((key) => key.slice(0, 40)))}`;
    case 'invalid_union':
      return `${field} is none of the known forms`;
    default:
      return `${field} is not valid`;
  }
}

function listed(values: readonly unknown[]): string {
  return values.map((value) => `"${String(value)}"`).join(' or ');
}
