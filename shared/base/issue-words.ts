import type * as z from 'zod/mini';

const types: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** What would be valid where a schema refused a value, as the rest of "it has to be ..."; the schema's own message where we do not know. */
export function issueWords(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return `has to be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'invalid_type':
      return `has to be ${types[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? `has to have at least ${issue.minimum} ${issue.origin === 'string' ? 'characters' : 'entries'}`
        : `has to be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array'
        ? `may have at most ${issue.maximum} ${issue.origin === 'string' ? 'characters' : 'entries'}`
        : `has to be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`;
    case 'invalid_union':
      return unionWords(issue);
    case 'not_multiple_of':
      return `has to be a multiple of ${issue.divisor}`;
    default:
      return issue.message;
  }
}

function unionWords({ errors, message }: Extract<z.core.$ZodIssue, { code: 'invalid_union' }>): string {
  const ways = errors.flatMap(([first]) => (first === undefined ? [] : [issueWords(first)]));
  return ways.length === 0 ? message : [...new Set(ways)].join(' or ');
}
