type Expression = string | readonly Expression[];

/** Reads SBPL as far as our profiles use it: lists, names, strings with backslashes. Throws on anything that is not whole. */
export function readProfile(text: string): readonly Expression[] {
  const tokens = text.match(/[()]|"(?:[^"\\]|\\["\\])*"|[^\s()"]+/g) ?? [];
  if (tokens.join('') !== text.replace(/\s+(?=(?:[^"\\]|\\.|"(?:[^"\\]|\\.)*")*$)/g, ''))
    throw new Error('not all of it could be read');
  let at = 0;
  const next = (): Expression => {
    const token = tokens[at++];
    if (token === undefined || token === ')') throw new Error('a list does not end');
    if (token !== '(') return token;
    const list: Expression[] = [];
    while (tokens[at] !== ')') list.push(next());
    at += 1;
    return list;
  };
  const rules: Expression[] = [];
  while (at < tokens.length) rules.push(next());
  return rules;
}

const textOf = (value: Expression | undefined): string =>
  typeof value === 'string' ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : '';

function speaksOf([name, value]: readonly Expression[], path: string): boolean {
  const text = textOf(value);
  if (name === 'literal') return path === text;
  if (name === 'subpath') return path === text || path.startsWith(`${text}/`);
  return name === 'regex' && new RegExp(text).test(path);
}

const covers = (operation: Expression | undefined, asked: string): boolean =>
  typeof operation === 'string' &&
  (operation === asked || (operation.endsWith('*') && asked.startsWith(operation.slice(0, -1))));

/** What Seatbelt says about an operation on a path: of the rules that speak about both the last one, else the default. */
export function mayOnPath(profile: string, operation: string, path: string): boolean {
  let answer = false;
  for (const rule of readProfile(profile)) {
    const [effect, ...rest] = rule as readonly Expression[];
    if (effect !== 'allow' && effect !== 'deny') continue;
    const operations = rest.filter((part) => typeof part === 'string');
    const filters = rest.filter((part) => typeof part !== 'string');
    if (!operations.some((name) => covers(name, operation))) continue;
    if (filters.length > 0 && !filters.some((filter) => speaksOf(filter, path))) continue;
    answer = effect === 'allow';
  }
  return answer;
}
