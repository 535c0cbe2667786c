import { expect, test } from 'vitest';
import { withoutKey } from '../../electron/node/without-key.ts';

const key = 'sk-live/Ab+c9=Zx"7\\Qw8-éNd42end';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

test.each<[string, string, string]>([
  ['as it is', `bad ${key}.`, 'bad [key].'],
  ['URL-encoded', `key=${encodeURIComponent(key)}&x`, 'key=[key]&x'],
  [
    'URL-encoded in small letters',
    encodeURIComponent(key).replaceAll(/%../g, (code) => code.toLowerCase()),
    '[key]',
  ],
  ['JSON-escaped', JSON.stringify({ key }), '{"key":"[key]"}'],
  ['in base64', `<${base64(key)}>`, '<[key]>'],
  ['cut after some characters', `${key.slice(0, 11)}...`, '[key]...'],
  ['cut before its end', `...${key.slice(-9)}`, '...[key]'],
  ['cut in base64', `${base64(key).slice(0, 20)}…`, '[key]…'],
  ['several times', `${key} ${key} ${key.slice(0, 8)}`, '[key] [key] [key]'],
])('A key is taken out of a text that holds it %s.', (_name, text, expected) => {
  expect(withoutKey(text, key)).toBe(expected);
});

test.each(['Bearer ', 'a:', 'user:', 'x-api-key: ', '{"key":"'])(
  'Behind %j in base64 no part of a key stays that could be read.',
  (words) => {
    const left = withoutKey(base64(`${words}${key}" and more`), key).split('[key]');
    const readable = left.flatMap((part) =>
      [0, 1, 2, 3].map((at) => Buffer.from(part.slice(at), 'base64').toString('utf8')),
    );
    const parts = Array.from({ length: key.length - 3 }, (_, at) => key.slice(at, at + 4));
    expect([left.length, parts.filter((part) => readable.some((text) => text.includes(part)))]).toEqual([
      2,
      [],
    ]);
  },
);

test('Other texts stay, and without a key every one.', () => {
  expect([
    withoutKey('sk-live is what keys begin with', key),
    withoutKey('anything', null),
    withoutKey('anything', ''),
    withoutKey('a key of five', 'abcde'),
  ]).toEqual(['sk-live is what keys begin with', 'anything', 'anything', 'a key of five']);
});
