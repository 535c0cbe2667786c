import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import type { Kairos } from '../support/real/kairos.ts';
import { waitFor } from '../support/real/wait-for.ts';
import { closeClean, openSession, openWindow } from './support/open-window.ts';
import { isSkipped, titled, windowSuite } from './support/suite.ts';

/** Sends `count` messages that are answered at once and waits until the last one is. */
async function converse(kairos: Kairos, session: string, count: number, from = 0): Promise<void> {
  for (let index = from; index < from + count; index += 1) {
    await kairos.bridge.get({
      path: '/messages',
      body: { session, uuid: `${session}-message-${index}`, text: `sleep 0s number ${index}` },
    });
    await settled(kairos, `${session}-message-${index}`);
  }
}

const settled = (kairos: Kairos, message: string): Promise<unknown> =>
  waitFor(
    async () => (await kairos.bridge.get<{ state: string }>(`/messages/${message}`)).state === 'settled',
    { what: `the answer to ${message}` },
  );

/** The first row in sight of the history and how far it is from its top. */
const anchor = (page: Page): Promise<{ seq: string; offset: number }> =>
  page.evaluate(async () => {
    // What is between a change and the next picture nobody sees.
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const pane = document.querySelector('.history');
    const top = pane?.getBoundingClientRect().top ?? 0;
    const row = [...document.querySelectorAll<HTMLElement>('.history-row')].find(
      (each) => each.getBoundingClientRect().bottom > top,
    );
    return { seq: row?.dataset.seq ?? '', offset: Math.round((row?.getBoundingClientRect().top ?? 0) - top) };
  });

const scrollTo = (page: Page, top: number): Promise<void> =>
  page.locator('.history').evaluate((pane, to) => pane.scrollTo(0, to), top);

const scrollHeight = (page: Page): Promise<number> =>
  page.locator('.history').evaluate((pane) => pane.scrollHeight);

const distanceToEnd = (page: Page): Promise<number> =>
  page
    .locator('.history')
    .evaluate((pane) => Math.round(pane.scrollHeight - pane.scrollTop - pane.clientHeight));

describe(titled('A long history'), { skip: isSkipped }, () => {
  const suite = windowSuite();
  it('opens at its end, holds the row in sight while older pages and new messages come, and counts what is new below', async () => {
    const { kairos, browser } = suite();
    await kairos.json(['send', 'help', '--session', 'long', '--wait']);
    await converse(kairos, 'long', 60);
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await openSession(page, 'long');
    await page.locator('.message-in', { hasText: 'number 59' }).waitFor();
    await expect.poll(() => distanceToEnd(page)).toBeLessThanOrEqual(8);

    await scrollTo(page, 900);
    const before = await anchor(page);
    await converse(kairos, 'long', 1, 60);
    await page.locator('.below-pill', { hasText: 'new below' }).waitFor();
    const afterNews = await anchor(page);

    const height = await scrollHeight(page);
    await scrollTo(page, 300);
    const beforeOlder = await anchor(page);
    await expect.poll(() => scrollHeight(page)).toBeGreaterThan(height);
    const afterOlder = await anchor(page);
    const drawn = await page.locator('.history-row').count();
    expect({ afterNews, afterOlder, few: drawn < 40 }).toEqual({
      afterNews: before,
      afterOlder: beforeOlder,
      few: true,
    });

    await page.locator('.below-pill').click();
    await expect.poll(() => distanceToEnd(page)).toBeLessThanOrEqual(8);
    await converse(kairos, 'long', 1, 61);
    await page.locator('.message-in', { hasText: 'number 61' }).waitFor();
    await expect.poll(() => distanceToEnd(page)).toBeLessThanOrEqual(8);
    await closeClean(opened);
  });

  it('comes page by page to the very first event by scrolling up', async () => {
    const { kairos, browser } = suite();
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await openSession(page, 'long');
    await page.locator('.message-in', { hasText: 'number 61' }).waitFor();
    await waitFor(
      async () => {
        await scrollTo(page, 0);
        return (await page.locator('.line', { hasText: 'Started in' }).count()) === 1;
      },
      { what: 'the first event', everyMs: 50 },
    );
    expect(await page.locator('.message-in').first().locator('.plain-text').innerText()).toBe('help');
    await closeClean(opened);
  });

  it('is where it was left when one comes back to the session', async () => {
    const { kairos, browser } = suite();
    await kairos.json(['send', 'help', '--session', 'other', '--wait']);
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await openSession(page, 'long');
    await page.locator('.message-in', { hasText: 'number 61' }).waitFor();
    await scrollTo(page, 700);
    await page.locator('.below-pill').waitFor();
    const left = await anchor(page);
    await openSession(page, 'other');
    await page.locator('h1', { hasText: 'other' }).waitFor();
    await openSession(page, 'long');
    await page.locator('.below-pill').waitFor();
    expect(await anchor(page)).toEqual(left);
    await closeClean(opened);
  });
});
