import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { addAnswers } from '../support/real/long-log.ts';
import { answer } from './support/answer.ts';
import { closeClean, openSession, openWindow } from './support/open-window.ts';
import { isSkipped, titled, windowSuite } from './support/suite.ts';

const looks = [
  ['light', 'en-US'],
  ['dark', 'zh-CN'],
  ['light', 'zh-CN'],
  ['dark', 'en-US'],
] as const;

async function violations(page: Page, view: string): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${view}: ${id}: ${html.slice(0, 160)}`));
}

describe(titled('Axe'), { skip: isSkipped }, () => {
  const suite = windowSuite();
  it.each(looks)(
    'finds nothing in any view, %s, %s',
    async (colorScheme, locale) => {
      const { kairos, browser } = suite();
      const sessions = await kairos.sessions();
      if (sessions.length === 0) {
        const wizard = await openWindow(kairos, browser, { colorScheme, locale });
        await wizard.page.locator('.wizard .choice').first().waitFor();
        expect(await violations(wizard.page, 'wizard')).toEqual([]);
        await closeClean(wizard);
        await kairos.json([
          'send',
          'run seq 1 60\nrun exit 3',
          '--session',
          'done',
          '--mode',
          'bypassPermissions',
          '--wait',
        ]);
        await kairos.json(['rules', 'add', 'deny', 'Bash(rm:*)']);
        await kairos.stopDaemon();
        addAnswers(kairos, 'done', [answer]);
        await kairos.startDaemon();
        await kairos.json(['send', 'run git push --force origin main', '--session', 'asks']);
        await kairos.json(['send', 'ask me Which colour? [red | blue]', '--session', 'question']);
        await kairos.approval();
      }
      const opened = await openWindow(kairos, browser, { colorScheme, locale });
      const found = await everyView(opened.page);
      expect(found).toEqual([]);
      await closeClean(opened);
    },
    240_000,
  );
});

async function everyView(page: Page): Promise<string[]> {
  const found: string[] = [];
  const look = async (view: string): Promise<void> => void found.push(...(await violations(page, view)));
  for (const session of ['asks', 'question', 'done']) {
    await openSession(page, session);
    await page.locator('.history-row').first().waitFor();
    for (const fold of await page.locator('.fold[aria-expanded=false]').all()) await fold.click();
    await look(session);
  }
  await page.locator('.detail-toggle input').check();
  await page.locator('.pane-head [aria-expanded=false]').click();
  await page.locator('.session-options').waitFor();
  await look('options and detail');
  for (const [index, wait] of ['.tabs', '.usage-table', '.setting', '.view-row'].entries()) {
    await page.locator('.foot-button').nth(index).click();
    await page.locator(wait).first().waitFor();
    await look(wait);
  }
  await page.locator('.foot-button').first().click();
  for (const tab of [1, 2]) {
    await page.locator('.tab').nth(tab).click();
    await page.locator('#approvals-panel > *').first().waitFor();
    await look(`tab ${tab}`);
  }
  await page.locator('.sidebar-head .icon-button').first().click();
  await page.locator('input[name=words]').fill('seq');
  await page.locator('.hit').first().waitFor();
  await look('search');
  await page.locator('.sidebar-head .icon-button').last().click();
  await page.locator('.new-session').waitFor();
  await look('new session');
  await page.keyboard.press('Control+k');
  await page.locator('.palette-entry').first().waitFor();
  await look('palette');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+/');
  await page.locator('dialog[open]').waitFor();
  await look('help');
  await page.keyboard.press('Escape');
  return found;
}
