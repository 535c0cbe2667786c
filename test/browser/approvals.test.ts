import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import type { Kairos } from '../support/real/kairos.ts';
import { closeClean, focusCard, isInCard, openSession, openWindow, say } from './support/open-window.ts';
import { isSkipped, titled, windowSuite } from './support/suite.ts';

const fileIn = (kairos: Kairos, name: string): boolean => existsSync(join(kairos.work, name));

async function ask(kairos: Kairos, session: string, command: string): Promise<string> {
  await kairos.json(['send', `run ${command}`, '--session', session]);
  return (await kairos.approval()).code;
}

describe(titled('An approval in the window'), { skip: isSkipped }, () => {
  const suite = windowSuite();
  it('appears without taking the focus, answers no key before 500 ms, and runs the command once it is allowed by key', async () => {
    const { kairos, browser } = suite();
    await kairos.json(['send', 'help', '--session', 'keys', '--wait']);
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await openSession(page, 'keys');
    await page.locator('#composer').focus();
    await say(page, 'run echo hi > f');
    await page.waitForSelector('.prompt-card');
    await page.keyboard.type('yes');
    const typed = await page.locator('#composer').inputValue();
    await focusCard(page);
    await page.keyboard.press('y');
    await page.keyboard.press('Enter');
    const early = { cards: await page.locator('.prompt-card').count(), ran: fileIn(kairos, 'f') };
    await page.waitForTimeout(600);
    await page.keyboard.press('y');
    await page.waitForSelector('.prompt-card', { state: 'detached' });
    await page.locator('.message-out', { hasText: 'echo hi > f' }).waitFor();
    expect({
      typed,
      early,
      ran: fileIn(kairos, 'f'),
      focus: await page.evaluate(() => document.activeElement?.id),
    }).toEqual({
      typed: 'yes',
      early: { cards: 1, ran: false },
      ran: true,
      focus: 'composer',
    });
    await closeClean(opened);
  });

  it('is denied by key, and the command does not run', async () => {
    const { kairos, browser } = suite();
    await ask(kairos, 'denying', 'echo no > denied');
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await openSession(page, 'denying');
    await focusCard(page);
    await page.waitForTimeout(600);
    await page.keyboard.press('n');
    await page.locator('.prompt-line', { hasText: 'denied' }).waitFor();
    expect({ line: await page.locator('.prompt-line').innerText(), ran: fileIn(kairos, 'denied') }).toEqual({
      line: expect.stringContaining('You'),
      ran: false,
    });
    await closeClean(opened);
  });

  it('answers nothing to a key that was held when the focus came, nor to a held Enter on a button', async () => {
    const { kairos, browser } = suite();
    await ask(kairos, 'holding', 'echo held > held');
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await openSession(page, 'holding');
    await page.waitForTimeout(600);
    await page.locator('#composer').focus();
    await page.keyboard.down('y');
    await page.locator('.preview').focus();
    for (let repeats = 0; repeats < 8; repeats += 1) {
      await page.keyboard.down('y');
      await page.waitForTimeout(100);
    }
    await page.keyboard.up('y');
    await page.locator('#composer').focus();
    await page.keyboard.down('Enter');
    await page.getByRole('button', { name: 'Allow once' }).focus();
    for (let repeats = 0; repeats < 8; repeats += 1) {
      await page.keyboard.down('Enter');
      await page.waitForTimeout(100);
    }
    await page.keyboard.up('Enter');
    expect({ cards: await page.locator('.prompt-card').count(), ran: fileIn(kairos, 'held') }).toEqual({
      cards: 1,
      ran: false,
    });
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    await page.waitForSelector('.prompt-card', { state: 'detached' });
    await closeClean(opened);
  });

  it('shows a second window who answered within a second, and its card is gone', async () => {
    const { kairos, browser } = suite();
    await ask(kairos, 'twice', 'echo twice > twice');
    const [first, second] = [await openWindow(kairos, browser), await openWindow(kairos, browser)];
    await openSession(first.page, 'twice');
    await openSession(second.page, 'twice');
    await second.page.waitForSelector('.prompt-card');
    await first.page.waitForTimeout(600);
    await first.page.getByRole('button', { name: 'Allow once' }).click();
    const note = second.page.locator('.answered-note');
    await note.waitFor({ timeout: 1000 });
    expect({
      note: await note.innerText(),
      cards: await second.page.locator('.prompt-card').count(),
      own: await first.page.locator('.answered-note').count(),
    }).toEqual({
      note: 'Bash: echo twice > twice: allowed once (The owner, elsewhere)',
      cards: 0,
      own: 0,
    });
    await closeClean(first);
    await closeClean(second);
  });

  it('that no frame holds is read whole, cannot be allowed before its end was in sight, and keeps its buttons visible', async () => {
    const { kairos, browser } = suite();
    const lines = Array.from({ length: 200 }, (_, line) => `line ${line} ${'x'.repeat(100)}`).join('\\n');
    await kairos.json(['send', `write long.txt: ${lines}`, '--session', 'long']);
    await kairos.approval();
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await openSession(page, 'long');
    const allow = page.getByRole('button', { name: 'Allow once' });
    await focusCard(page);
    await page.waitForTimeout(600);
    await page.keyboard.press('y');
    const before = {
      enabled: await allow.isEnabled(),
      inSight: await isInSight(page, '.choices'),
      note: await page.locator('.card-note').first().innerText(),
    };
    await page.locator('.preview').press('End');
    await expect.poll(() => allow.isEnabled()).toBe(true);
    await page.locator('.preview').press('y');
    await page.waitForSelector('.prompt-card', { state: 'detached' });
    await page.locator('.message-out').last().waitFor();
    expect({ before, ran: fileIn(kairos, 'long.txt') }).toEqual({
      before: { enabled: false, inSight: true, note: 'Scroll to the end to allow' },
      ran: true,
    });
    await closeClean(opened);
  });

  it('keeps the rule of "Always" and asks no more', async () => {
    const { kairos, browser } = suite();
    await ask(kairos, 'always', 'echo a >> always.txt');
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await openSession(page, 'always');
    await focusCard(page);
    const rule = await page.locator('.card-rule').innerText();
    await page.waitForTimeout(600);
    await page.keyboard.press('r');
    await page.locator('.turn-end').waitFor();
    await say(page, 'run echo a >> always.txt');
    await expect.poll(() => page.locator('.turn-end').count()).toBe(2);
    expect({ rule, cards: await page.locator('.prompt-card').count() }).toEqual({
      rule: 'This session and Always keep the rule Bash(echo a >> always.txt)',
      cards: 0,
    });
    await closeClean(opened);
  });
});

describe(titled('A question in the window'), { skip: isSkipped }, () => {
  const suite = windowSuite();
  it('is answered by the letter of an option', async () => {
    const { kairos, browser } = suite();
    await kairos.json(['send', 'ask me Which colour? [red | dark blue]', '--session', 'asking']);
    await kairos.approval();
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await openSession(page, 'asking');
    await focusCard(page);
    await page.waitForTimeout(600);
    await page.keyboard.press('b');
    await page.locator('.prompt-line', { hasText: 'answered' }).waitFor();
    expect(await page.locator('.prompt-line q').innerText()).toBe('dark blue');
    await closeClean(opened);
  });

  it('is answered in own words, in which letters are only letters; a letter of no option is none', async () => {
    const { kairos, browser } = suite();
    await kairos.json(['send', 'ask me Which colour? [red | blue]', '--session', 'words']);
    await kairos.approval();
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await openSession(page, 'words');
    await page.locator('.free-answer input').focus();
    await page.waitForTimeout(600);
    await page.keyboard.type('D');
    await page.keyboard.press('Enter');
    const slip = await page.locator('.prompt-card [role=alert]').innerText();
    await page.locator('.free-answer input').fill('a bit of both');
    const inCard = await isInCard(page);
    await page.keyboard.press('Enter');
    await page.locator('.prompt-line', { hasText: 'answered' }).waitFor();
    expect({ slip, inCard, answer: await page.locator('.prompt-line q').innerText() }).toEqual({
      slip: '"D" is none of the options: A) red, B) blue. Name one, or answer in more words.',
      inCard: true,
      answer: 'a bit of both',
    });
    await closeClean(opened);
  });
});

async function isInSight(page: Page, selector: string): Promise<boolean> {
  const box = await page.locator(selector).boundingBox();
  return box !== null && box.y >= 0 && box.y + box.height <= 800;
}
