import type { Browser } from 'playwright';
import { describe, expect, it } from 'vitest';
import type { Kairos } from '../support/real/kairos.ts';
import { type WatchedPage, watchedPage } from './support/chromium.ts';
import { closeClean, focusCard, openSession, say } from './support/open-window.ts';
import { isSkipped, titled, windowSuite } from './support/suite.ts';

/** A window whose ticket gives these scopes only, as a paired phone has them. */
async function openAs(kairos: Kairos, browser: Browser, scopes: readonly string[]): Promise<WatchedPage> {
  const { ticket } = await kairos.bridge.get<{ ticket: string }>({
    method: 'POST',
    path: '/tickets',
    body: { scopes },
  });
  const opened = await watchedPage(browser);
  await opened.page.goto(`${kairos.bridge.address().url.replace(/\/$/, '')}/#ticket=${ticket}`);
  await opened.page.waitForSelector('.shell');
  return opened;
}

describe(titled('A window that is not the owner’s'), { skip: isSkipped }, () => {
  const suite = windowSuite();
  it('sends and allows once, and offers nothing that only an owner may do', async () => {
    const { kairos, browser } = suite();
    await kairos.json(['send', 'help', '--session', 'shared', '--wait']);
    const opened = await openAs(kairos, browser, ['read', 'send', 'approve']);
    const { page } = opened;
    await openSession(page, 'shared');
    await say(page, 'run echo shared > shared.txt');
    await page.waitForSelector('.prompt-card');
    const names = ['New session', 'Rename', 'Stop', 'Pause everything', 'This session', 'Always'];
    const offered = await Promise.all(
      names.map((name) => page.getByRole('button', { name, exact: true }).count()),
    );
    const choices = await page.locator('.choices .answer').allInnerTexts();
    await focusCard(page);
    await page.waitForTimeout(600);
    await page.keyboard.press('s');
    await page.keyboard.press('r');
    await page.keyboard.press('y');
    await page.locator('.prompt-line', { hasText: 'allowed once' }).waitFor();
    expect({ offered, choices: choices.map((text) => text.replace(/\s+/g, ' ').trim()) }).toEqual({
      offered: names.map(() => 0),
      choices: ['Deny n', 'Allow once y'],
    });
    await closeClean(opened);
  });

  it('only reads with the scope read: no composer and no buttons in a card', async () => {
    const { kairos, browser } = suite();
    await kairos.json(['send', 'run echo x > x.txt', '--session', 'reading']);
    await kairos.approval();
    const opened = await openAs(kairos, browser, ['read']);
    const { page } = opened;
    await openSession(page, 'reading');
    await page.waitForSelector('.prompt-card');
    expect({
      composers: await page.locator('#composer').count(),
      answers: await page.locator('.answer').count(),
      preview: await page.locator('.preview').innerText(),
      note: await page.locator('.composer-note').innerText(),
    }).toEqual({ composers: 0, answers: 0, preview: 'echo x > x.txt', note: 'This window may only read.' });
    await closeClean(opened);
  });
});

describe(titled('An input method'), { skip: isSkipped }, () => {
  const suite = windowSuite();
  it('keeps its Enter: composing sends nothing, the next Enter does', async () => {
    const { kairos, browser } = suite();
    await kairos.json(['send', 'help', '--session', 'ime', '--wait']);
    const opened = await openAs(kairos, browser, ['owner']);
    const { page } = opened;
    await openSession(page, 'ime');
    await page.locator('#composer').focus();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Input.imeSetComposition', { text: 'bangzhu', selectionStart: 7, selectionEnd: 7 });
    const enter = { key: 'Process', code: 'Enter', windowsVirtualKeyCode: 229 } as const;
    await devtools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...enter });
    await devtools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...enter });
    await page.keyboard.press('Enter');
    const composing = await page.locator('.message-in').count();
    await devtools.send('Input.insertText', { text: '帮助' });
    const late = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 } as const;
    await devtools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...late });
    await devtools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...late });
    const after = await page.locator('.message-in').count();
    await page.keyboard.press('Enter');
    await page.locator('.message-in', { hasText: '帮助' }).waitFor();
    expect({ composing, after }).toEqual({ composing: 1, after: 1 });
    await closeClean(opened);
  });
});
