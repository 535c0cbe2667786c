import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { expect } from 'vitest';
import type { Kairos } from '../../support/real/kairos.ts';
import { type WatchedPage, watchedPage } from './chromium.ts';

/** The address that `kairos open` prints: with a ticket that works once. */
export async function windowAddress(kairos: Kairos): Promise<string> {
  const { address } = await kairos.json<{ address: string }>(['open', '--no-open']);
  return address;
}

/** A window on a running daemon, connected. */
export async function openWindow(
  kairos: Kairos,
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const opened = await watchedPage(browser, options);
  await opened.page.goto(await windowAddress(kairos));
  await opened.page.waitForSelector('.shell');
  return opened;
}

/** Opens a session by its title in the sidebar and waits for its history. */
export async function openSession(page: Page, name: string): Promise<void> {
  await page.locator('.session-row', { hasText: name }).click();
  await page.waitForSelector('.history');
}

/** Writes into the composer and sends with Enter. */
export async function say(page: Page, text: string): Promise<void> {
  await page.locator('#composer').fill(text);
  await page.locator('#composer').press('Enter');
}

/** Moves the focus into the card by F6, as a person without a mouse would. */
export async function focusCard(page: Page): Promise<void> {
  for (let presses = 0; presses < 6; presses += 1) {
    if (await isInCard(page)) return;
    await page.keyboard.press('F6');
  }
  expect(await isInCard(page)).toBe(true);
}

export function isInCard(page: Page): Promise<boolean> {
  return page.evaluate(
    () => document.querySelector('.prompt-card')?.contains(document.activeElement) === true,
  );
}

/** Closes the page's context and holds that nothing happened in it that should not have. */
export async function closeClean({ page, complaints }: WatchedPage): Promise<void> {
  await page.context().close();
  expect(complaints).toEqual([]);
}
