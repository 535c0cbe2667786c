import type { Browser } from 'playwright';
import { describe, expect, it } from 'vitest';
import type { Kairos } from '../support/real/kairos.ts';
import type { WatchedPage } from './support/chromium.ts';
import { closeClean, isInCard, openSession, openWindow } from './support/open-window.ts';
import { isSkipped, titled, windowSuite } from './support/suite.ts';

/** A window of that width with a session that asks. */
async function asking(kairos: Kairos, browser: Browser, name: string, width: number): Promise<WatchedPage> {
  await kairos.json(['send', `run echo ${name} > ${name}.txt`, '--session', name]);
  const opened = await openWindow(kairos, browser, { viewport: { width, height: 800 } });
  // A window where one pane fits opens with what asks.
  if (width >= 720) await openSession(opened.page, name);
  await opened.page.waitForSelector('.prompt-card');
  return opened;
}

describe(titled('The card of an approval'), { skip: isSkipped }, () => {
  const suite = windowSuite();
  it('is reached from the message field with Shift+F6 as its hint says, and Escape leaves it for later', async () => {
    const { kairos, browser } = suite();
    const opened = await asking(kairos, browser, 'later', 1280);
    const { page } = opened;
    const hint = (): Promise<string> => page.locator('.card-hint').innerText();
    await page.locator('#composer').focus();
    const outside = await hint();
    await page.keyboard.press('Shift+F6');
    const inside = { isInside: await isInCard(page), hint: await hint() };
    await page.keyboard.press('Escape');
    expect({
      outside,
      inside,
      focus: await page.evaluate(() => document.activeElement?.id),
      cards: await page.locator('.prompt-card').count(),
    }).toEqual({
      outside: 'A click, or Shift+F6 from the message field, brings you here; then the letters answer.',
      inside: { isInside: true, hint: 'The letters answer now. Esc: later.' },
      focus: 'composer',
      cards: 1,
    });
    await page.locator('.preview').focus();
    await page.waitForTimeout(600);
    await page.keyboard.press('n');
    await page.waitForSelector('.prompt-card', { state: 'detached' });
    await closeClean(opened);
  });

  it('offers an owner every choice in a window of 360 px too, inside the window, and "This session" is kept', async () => {
    const { kairos, browser } = suite();
    const opened = await asking(kairos, browser, 'narrow', 360);
    const { page } = opened;
    const boxes = await page.locator('.choices .answer').evaluateAll((buttons) =>
      buttons.map((button) => {
        const { left, right, top, height } = button.getBoundingClientRect();
        return {
          text: button.firstChild?.textContent,
          isInside: left >= 0 && right <= innerWidth,
          isTall: height >= 44,
          row: Math.round(top),
        };
      }),
    );
    await page.waitForTimeout(600);
    await page.getByRole('button', { name: 'This session', exact: true }).click();
    await page.locator('.prompt-line', { hasText: 'allowed for this session' }).waitFor();
    const [first, , third] = boxes;
    expect(boxes).toEqual(
      ['Deny', 'Allow once', 'This session', 'Always'].map((text, index) => ({
        text,
        isInside: true,
        isTall: true,
        row: (index < 2 ? first : third)?.row,
      })),
    );
    await closeClean(opened);
  });
});

describe(titled('A message with code'), { skip: isSkipped }, () => {
  const suite = windowSuite();
  it('shows what stands between backticks as code, and tags in it as text', async () => {
    const { kairos, browser } = suite();
    await kairos.json(['send', 'say `npm <b>test</b>` and ` alone', '--session', 'code', '--wait']);
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await openSession(page, 'code');
    const message = page.locator('.message-in').first();
    expect({
      code: await message.locator('.inline-code').allInnerTexts(),
      bold: await message.locator('b').count(),
      whole: await message.locator('.plain-text').innerText(),
    }).toEqual({ code: ['npm <b>test</b>'], bold: 0, whole: 'say npm <b>test</b> and ` alone' });
    await closeClean(opened);
  });
});
