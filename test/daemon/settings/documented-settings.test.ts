import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { isObject } from '../../../shared/base/json.ts';
import { defaultSettings, settingSections } from '../../../shared/domain/settings.ts';

/** What a schema is made of, as far as names of members go. */
interface Shape {
  readonly type: string;
  readonly innerType?: { readonly _zod: { readonly def: Shape } };
  readonly valueType?: { readonly _zod: { readonly def: Shape } };
  readonly shape?: Readonly<Record<string, { readonly _zod: { readonly def: Shape } }>>;
}

function keysOf(path: string, { innerType, valueType, shape }: Shape, isSection = false): string[] {
  if (innerType) return keysOf(path, innerType._zod.def);
  const own = isSection && shape ? [] : [path];
  const of = valueType ? keysOf(`${path}.*`, valueType._zod.def).slice(1) : [];
  const members = Object.entries(shape ?? {}).flatMap(([name, { _zod }]) =>
    keysOf(`${path}.${name}`, _zod.def),
  );
  return [...own, ...of, ...members];
}

function defaultOf(key: string): string {
  let value: unknown = defaultSettings();
  for (const name of key.split('.')) value = isObject(value) ? value[name] : undefined;
  return value === undefined ? '-' : JSON.stringify(value);
}

it('the README names every setting of the schema in its order, with its default, and no other', () => {
  const readme = readFileSync(resolve('electron/daemon/settings/README.md'), 'utf8');
  const named = [...readme.matchAll(/^\| `([^`]+)` +\| `?([^`|]+?)`? +\| \S/gm)].map(([, key = '', held]) => [
    key.replace(/<\w+>/, '*'),
    held,
  ]);
  const known = Object.entries(settingSections).flatMap(([name, { _zod }]) =>
    keysOf(name, _zod.def as unknown as Shape, true),
  );
  expect(named).toEqual(known.map((key) => [key, defaultOf(key)]));
});
