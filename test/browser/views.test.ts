import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { closeClean, focusCard, openSession, openWindow } from './support/open-window.ts';
import { isSkipped, titled, windowSuite } from './support/suite.ts';

describe(titled('The views of the window'), { skip: isSkipped }, () => {
  const suite = windowSuite();
  it('are reached from the palette by keyboard alone, which gives the focus back when it is left', async () => {
    const { kairos, browser } = suite();
    await kairos.json(['send', 'help', '--session', 'palette', '--wait']);
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await openSession(page, 'palette');
    await page.locator('#composer').focus();
    await page.keyboard.press('Control+k');
    await page.locator('.palette-entry').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.palette').waitFor({ state: 'detached' });
    const focus = await page.evaluate(() => document.activeElement?.id);
    const titles: string[] = [];
    for (const name of ['usage', 'doctor', 'approvals', 'settings', 'palette']) {
      await page.keyboard.press('Control+k');
      await page.locator('.palette-field').fill(name);
      await page.keyboard.press('Enter');
      await page.locator('h1', { hasText: new RegExp(name, 'i') }).waitFor();
      titles.push(await page.locator('h1').innerText());
    }
    expect({ focus, titles }).toEqual({
      focus: 'composer',
      titles: ['Usage', 'Doctor', 'Approvals', 'Settings', 'palette'],
    });
    await closeClean(opened);
  });

  it('find a message in all conversations and bring it into sight', async () => {
    const { kairos, browser } = suite();
    await kairos.json(['send', 'sleep 0s the needle', '--session', 'haystack', '--wait']);
    for (const index of Array.from({ length: 12 }, (_, each) => each))
      await kairos.json(['send', `sleep 0s straw ${index}`, '--session', 'haystack', '--wait']);
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await page.keyboard.press('Control+Shift+f');
    await page.locator('input[name=words]').fill('needle');
    await page.locator('.hit mark').first().waitFor();
    const marked = await page.locator('.hit mark').first().innerText();
    await page.locator('.hit', { hasText: 'sleep 0s the needle' }).last().press('Enter');
    const row = page.locator('.history-row.is-found');
    await row.waitFor();
    expect({ marked, found: await row.innerText(), isInSight: await row.isVisible() }).toEqual({
      marked: 'needle',
      found: expect.stringContaining('the needle'),
      isInSight: true,
    });
    await closeClean(opened);
  });

  it('list rules with their sources, and revoke a stored one', async () => {
    const { kairos, browser } = suite();
    await kairos.json(['rules', 'add', 'deny', 'Bash(rm:*)']);
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await page.locator('.foot-button', { hasText: 'Approvals' }).click();
    await page.getByRole('tab', { name: 'Rules' }).click();
    const row = page.locator('.view-row', { hasText: 'rm' });
    await row.waitFor();
    const words = await row.innerText();
    await row.getByRole('button', { name: 'Revoke' }).click();
    await row.waitFor({ state: 'detached' });
    expect({ words, left: await kairos.bridge.get('/rules') }).toEqual({
      words: expect.stringMatching(/Deny[^]*rm[^]*Always · Every session/),
      left: [],
    });
    await closeClean(opened);
  });

  it('raise the limit of a day, find a setting with its source, and copy the report of doctor', async () => {
    const { kairos, browser } = suite();
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('.foot-button', { hasText: 'Usage' }).click();
    await page.locator('input[name=by]').fill('3');
    await page.getByRole('button', { name: 'Raise' }).click();
    await page.getByText('The limit is now $8.').waitFor();
    await page.locator('.foot-button', { hasText: 'Settings' }).click();
    await page.locator('input[name=setting]').fill('capacity');
    const setting = page.locator('.setting');
    await expect.poll(() => setting.count()).toBe(1);
    const words = (await setting.innerText()).split(/\s+/);
    await page.locator('.foot-button').last().click();
    await page.getByRole('button', { name: 'Copy report' }).click();
    const report = await page.evaluate(() => navigator.clipboard.readText());
    expect({ words, report: report.split('\n')[0] }).toEqual({
      words: ['sessions.capacity', '8', 'Default'],
      report: expect.stringMatching(/^Kairos \d/),
    });
    await closeClean(opened);
  });
});

describe(titled('A session in the window'), { skip: isSkipped }, () => {
  const suite = windowSuite();
  it('takes another mode from its owner, and says what the mode means', async () => {
    const { kairos, browser } = suite();
    await kairos.json(['send', 'help', '--session', 'modes', '--wait']);
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await openSession(page, 'modes');
    await page.getByRole('button', { name: 'Session options' }).click();
    await page.locator('.session-options select').first().selectOption('plan');
    await page.getByText('Kairos looks and plans, and changes nothing.').waitFor();
    const { mode } = await kairos.bridge.get<{ mode: string }>('/sessions/modes');
    expect(mode).toBe('plan');
    await closeClean(opened);
  });

  it('takes a file with a message, which names where it is', async () => {
    const { kairos, browser } = suite();
    await kairos.json(['send', 'help', '--session', 'files', '--wait']);
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await openSession(page, 'files');
    const file = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('from the person') };
    await page.locator('.composer input[type=file]').setInputFiles(file);
    await page.locator('.file-chip', { hasText: /^note\.txt$/ }).waitFor();
    await page.locator('#composer').fill('here it is');
    await page.keyboard.press('Enter');
    const message = page.locator('.message-in', { hasText: 'here it is' });
    await message.waitFor();
    const path = /Attached file: (\S+)/.exec(await message.innerText())?.[1] ?? '';
    expect({ content: readFileSync(path, 'utf8'), chips: await page.locator('.file-chip').count() }).toEqual({
      content: 'from the person',
      chips: 0,
    });
    await closeClean(opened);
  });

  it('is denied with a reason, in which letters are only letters', async () => {
    const { kairos, browser } = suite();
    await kairos.json(['send', 'run echo x > denied.txt', '--session', 'reasons']);
    await kairos.approval();
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await openSession(page, 'reasons');
    await focusCard(page);
    await page.waitForTimeout(600);
    await page.getByRole('button', { name: 'Deny with a reason' }).press('Enter');
    await page.keyboard.type('yes, but say why');
    const cards = await page.locator('.prompt-card').count();
    await page.keyboard.press('Enter');
    await page.locator('.prompt-line', { hasText: 'denied' }).waitFor();
    expect({ cards, reason: await page.locator('.prompt-line q').innerText() }).toEqual({
      cards: 1,
      reason: 'yes, but say why',
    });
    await closeClean(opened);
  });
});

describe(titled('The first session'), { skip: isSkipped }, () => {
  const suite = windowSuite();
  it('is begun in three steps by keyboard alone', async () => {
    const { kairos, browser } = suite();
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await page.locator('.wizard').waitFor();
    await page.getByRole('radio', { name: /Built-in engine/ }).focus();
    await page.keyboard.press('Enter');
    await page.locator('input[name=dir]').focus();
    await page.keyboard.type(kairos.work);
    await page.getByRole('button', { name: 'Look what it brings' }).press('Enter');
    await page.getByText('Nothing to trust').waitFor();
    await page.locator('input[name=dir]').press('Enter');
    await page.getByRole('radio', { name: /Ask first/ }).press('ArrowDown');
    await page.locator('textarea[name=text]').fill('help');
    await page.getByRole('button', { name: 'Start' }).press('Enter');
    await page.locator('.message-out').waitFor();
    const [session] = await kairos.bridge.get<{ mode: string; dir: string }[]>('/sessions');
    expect({ mode: session?.mode, dir: session?.dir }).toEqual({ mode: 'acceptEdits', dir: kairos.work });
    await closeClean(opened);
  });
});
