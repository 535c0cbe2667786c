import { expect, test } from 'vitest';
import { isComposingKey, watchComposition } from '../../../renderer/ui/composing.ts';

test('A key belongs to the input method while one composes, when the browser says so, and when it is the processed Enter.', () => {
  const page = new EventTarget();
  watchComposition(page);
  const plain = { isComposing: false, keyCode: 13 };
  const before = isComposingKey(plain);
  page.dispatchEvent(new Event('compositionstart'));
  const during = isComposingKey(plain);
  page.dispatchEvent(new Event('compositionend'));
  expect({
    before,
    during,
    marked: isComposingKey({ ...plain, isComposing: true }),
    processed: isComposingKey({ ...plain, keyCode: 229 }),
    after: isComposingKey(plain),
  }).toEqual({
    before: false,
    during: true,
    marked: true,
    processed: true,
    after: false,
  });
});
