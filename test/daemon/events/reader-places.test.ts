import { expect, test } from 'vitest';
import { ReaderPlaces } from '../../../electron/daemon/events/reader-places.ts';

test('places are taken over in the order of asking, and a free one is taken at once', async () => {
  const places = new ReaderPlaces(2, 10);
  const took: string[] = [];
  const ask = (name: string): Promise<void> => places.take().then(() => void took.push(name));
  const all = ['a', 'b', 'c', 'd'].map(ask);
  await Promise.all(all.slice(0, 2));
  const first = [...took];
  places.give();
  places.give();
  await Promise.all(all);
  places.give();
  await ask('e');
  expect([first, took]).toEqual([
    ['a', 'b'],
    ['a', 'b', 'c', 'd', 'e'],
  ]);
});
