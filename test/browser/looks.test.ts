import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import type { Kairos } from '../support/real/kairos.ts';
import { closeClean, openSession, openWindow } from './support/open-window.ts';
import { isSkipped, titled, windowSuite } from './support/suite.ts';

const sizes = [
  { width: 360, height: 720 },
  { width: 768, height: 900 },
  { width: 1280, height: 800 },
] as const;
const themes = ['light', 'dark'] as const;
const languages = ['en-US', 'zh-CN'] as const;

/** `KAIROS_SCREENSHOTS` names the folder; else a temporary one, which is told at the end. */
const folder = process.env.KAIROS_SCREENSHOTS ?? mkdtempSync(join(tmpdir(), 'kairos-window-'));

/** Sessions in the states that the pictures are about. */
async function furnish(kairos: Kairos): Promise<void> {
  await kairos.json(['send', 'help', '--session', 'daily', '--wait']);
  await kairos.json([
    'send',
    'write notes.txt: buy milk\nread notes.txt\nrun ls -la',
    '--session',
    'shop',
    '--mode',
    'bypassPermissions',
    '--wait',
  ]);
  await kairos.json(['send', 'edit notes.txt: buy milk => buy oat milk', '--session', 'notes']);
  await kairos.json([
    'send',
    'run git push --force origin main && npm publish --access public --tag next',
    '--session',
    'payments',
  ]);
  await kairos.json([
    'send',
    'ask me Which database shall I use? [PostgreSQL | SQLite | none yet]',
    '--session',
    'docs',
  ]);
  await kairos.json(['send', 'run sleep 600', '--session', 'ci-watch', '--mode', 'bypassPermissions']);
}

/** Elements that stick out of the window, and whether the page scrolls sideways. */
const overflow = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const wide = document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : [];
    const out = [...document.querySelectorAll('button, input, textarea, select, h1')].filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 0 && (left < -1 || right > innerWidth + 1);
    });
    return [
      ...wide,
      ...out.map((element) => `${element.tagName} ${element.className} ${element.textContent}`),
    ];
  });

describe(titled('How the window looks'), { skip: isSkipped }, () => {
  const suite = windowSuite();
  it('holds everything inside the window at three widths, in both themes and languages', async () => {
    const { kairos, browser } = suite();
    const found: string[] = [];
    for (const viewport of sizes) {
      const first = await openWindow(kairos, browser, { viewport });
      await first.page.locator('.wizard .choice').first().waitFor();
      await first.page.screenshot({ path: join(folder, `${viewport.width}-light-en-wizard.png`) });
      found.push(...(await overflow(first.page)));
      await closeClean(first);
    }
    await furnish(kairos);
    for (const size of sizes) {
      for (const colorScheme of themes) {
        for (const locale of languages) {
          const opened = await openWindow(kairos, browser, { viewport: size, colorScheme, locale });
          const name = `${size.width}-${colorScheme}-${locale.slice(0, 2)}`;
          found.push(...(await walk(opened.page, name)));
          await closeClean(opened);
        }
      }
    }
    process.stdout.write(`pictures of the window: ${folder}\n`);
    expect(found).toEqual([]);
  }, 600_000);

  it('keeps states readable with forced colours and moves nothing with reduced motion', async () => {
    const { kairos, browser } = suite();
    const opened = await openWindow(kairos, browser, { forcedColors: 'active', reducedMotion: 'reduce' });
    const { page } = opened;
    await openSession(page, 'payments');
    await page.waitForSelector('.prompt-card');
    await page.screenshot({ path: join(folder, 'forced-colours.png') });
    const running = await page.evaluate(() => document.getAnimations().length);
    const words = await page.locator('.session-row-word').allInnerTexts();
    // Quiet sessions fall asleep while the pictures are made.
    const known = ['Needs you', 'Working', 'Idle', 'Asleep'];
    expect({
      running,
      asking: words.includes('Needs you'),
      quiet: words.some((word) => word === 'Idle' || word === 'Asleep'),
      unknown: words.filter((word) => !known.some((each) => word.startsWith(each))),
    }).toEqual({ running: 0, asking: true, quiet: true, unknown: [] });
    await closeClean(opened);
  });
});

/** Every view besides the conversation. */
async function otherViews(
  page: Page,
  look: (view: string) => Promise<void>,
  back: () => Promise<void>,
): Promise<void> {
  const views = [
    ['approvals', '.view-row'],
    ['usage', '.usage-table'],
    ['settings', '.setting'],
    ['doctor', '.view-row'],
  ] as const;
  for (const [index, [view, wait]] of views.entries()) {
    await page.locator('.foot-button').nth(index).click();
    await page.locator(wait).first().waitFor();
    await look(view);
    await back();
  }
  await page.locator('.sidebar-head .icon-button').first().click();
  await page.locator('input[name=words]').fill('milk');
  await page.locator('.hit').first().waitFor();
  await look('search');
  await back();
  await page.locator('.sidebar-head .icon-button').last().click();
  await page.locator('.new-session').waitFor();
  await look('new');
  await page.keyboard.press('Control+k');
  await page.locator('.palette-entry').first().waitFor();
  await look('palette');
  await page.keyboard.press('Escape');
}

async function walk(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  const look = async (view: string): Promise<void> => {
    // Pictures are taken when the pointer rests nowhere and the first moments of a card are over.
    await page.mouse.move(0, 0);
    await page.screenshot({ path: join(folder, `${name}-${view}.png`) });
    found.push(...(await overflow(page)).map((what) => `${name} ${view}: ${what}`));
  };
  const isNarrow = (page.viewportSize()?.width ?? 0) < 720;
  const back = async (): Promise<void> => {
    if (isNarrow) await page.locator('.pane-head .icon-button').first().click();
  };
  await back();
  await page.locator('.session-row').first().waitFor();
  await look('sidebar');
  for (const session of ['payments', 'docs', 'notes', 'shop', 'ci-watch']) {
    await openSession(page, session);
    await page.locator('.history-row').first().waitFor();
    await look(session);
    await back();
  }
  await otherViews(page, look, back);
  return found;
}
