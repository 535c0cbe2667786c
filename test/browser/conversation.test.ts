import { describe, expect, it } from 'vitest';
import { closeClean, openSession, openWindow, say } from './support/open-window.ts';
import { watchedPage } from './support/chromium.ts';
import { isSkipped, titled, windowSuite } from './support/suite.ts';

describe(titled('The window'), { skip: isSkipped }, () => {
  const suite = windowSuite();
  it('opens by a ticket that vanishes from the address, starts a session by its form, and shows the answer', async () => {
    const { kairos, browser } = suite();
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await page.getByRole('button', { name: 'All in one form' }).click();
    await page.locator('textarea[name=text]').fill('help');
    await page.locator('input[name=dir]').fill(kairos.work);
    await page.locator('input[name=name]').fill('first');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.locator('.message-out').waitFor();
    const [session] = await kairos.sessions();
    expect({
      hash: new URL(page.url()).hash,
      session: { name: session?.name, dir: session?.dir },
      sent: await page.locator('.message-in .plain-text').allInnerTexts(),
      marks: await page.locator('.message-in svg').first().getAttribute('aria-label'),
    }).toEqual({ hash: '', session: { name: 'first', dir: kairos.work }, sent: ['help'], marks: 'Answered' });
    await closeClean(opened);
  });

  it('says in the form why a session cannot be made, and keeps what was written', async () => {
    const { kairos, browser } = suite();
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await page.getByRole('button', { name: 'New session' }).click();
    await page.locator('textarea[name=text]').fill('help');
    await page.locator('input[name=dir]').fill('/no/such/place');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.locator('textarea[name=text]').inputValue()).toBe('help');
    await closeClean(opened);
  });

  it('forgets its key at a reload, says how to be opened again, and keeps what was typed', async () => {
    const { kairos, browser } = suite();
    await kairos.json(['send', 'help', '--session', 'reload', '--wait']);
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await openSession(page, 'reload');
    await page.locator('#composer').fill('not sent yet');
    const stored = await page.evaluate(
      () => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie,
    );
    await page.reload();
    await page.getByText('This window needs a new link').waitFor();
    const command = await page.locator('.copy-command code').innerText();
    const { address } = await kairos.json<{ address: string }>(['open', '--no-open']);
    await page.goto(address);
    await openSession(page, 'reload');
    expect({
      command,
      typed: await page.locator('#composer').inputValue(),
      secrets: /[0-9a-f]{32}/.test(stored),
    }).toEqual({
      command: 'kairos open',
      typed: 'not sent yet',
      secrets: false,
    });
    await closeClean(opened);
  });

  it('refuses a ticket that was used, with what to do next', async () => {
    const { kairos, browser } = suite();
    const { address } = await kairos.json<{ address: string }>(['open', '--no-open']);
    const [first, second] = [await watchedPage(browser), await watchedPage(browser)];
    await first.page.goto(address);
    await first.page.waitForSelector('.shell');
    await second.page.goto(address);
    await second.page.getByText('This window may not connect').waitFor();
    expect(await second.page.locator('.copy-command code').innerText()).toBe('kairos open');
    await first.page.context().close();
    await second.page.context().close();
  });

  it('keeps the draft of each session over a switch by keyboard', async () => {
    const { kairos, browser } = suite();
    await kairos.json(['send', 'help', '--session', 'left', '--wait']);
    await kairos.json(['send', 'help', '--session', 'right', '--wait']);
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await openSession(page, 'left');
    await page.locator('#composer').fill('for the left one');
    await page.keyboard.press('Alt+ArrowUp');
    await page.locator('h1', { hasText: 'right' }).waitFor();
    const other = await page.locator('#composer').inputValue();
    await page.keyboard.press('Alt+ArrowDown');
    await page.locator('h1', { hasText: 'left' }).waitFor();
    expect({ other, own: await page.locator('#composer').inputValue() }).toEqual({
      other: '',
      own: 'for the left one',
    });
    await closeClean(opened);
  });

  it('renames a session and says why a name is refused', async () => {
    const { kairos, browser } = suite();
    await kairos.json(['send', 'help', '--session', 'oldname', '--wait']);
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await openSession(page, 'oldname');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.locator('.rename input').fill('left');
    await page.keyboard.press('Enter');
    await page.locator('.rename [role=alert]').waitFor();
    await page.locator('.rename input').fill('newname');
    await page.keyboard.press('Enter');
    await page.locator('.session-row', { hasText: 'newname' }).waitFor();
    await page.locator('h1', { hasText: 'newname' }).waitFor();
    await closeClean(opened);
  });

  it('pauses and resumes everything', async () => {
    const { kairos, browser } = suite();
    await kairos.json(['send', 'help', '--session', 'pausing', '--wait']);
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await openSession(page, 'pausing');
    await page.getByRole('button', { name: 'Pause everything' }).click();
    await page.getByText('Paused. Only the owner’s messages run.').waitFor();
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByRole('button', { name: 'Pause everything' }).waitFor();
    await closeClean(opened);
  });

  it('stops a running turn by button', async () => {
    const { kairos, browser } = suite();
    await kairos.json(['send', 'run sleep 60', '--session', 'stopping', '--mode', 'bypassPermissions']);
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await openSession(page, 'stopping');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.locator('.turn-end', { hasText: 'Stopped' }).waitFor();
    await closeClean(opened);
  });

  it('never reads text as markup and loads nothing from elsewhere', async () => {
    const { kairos, browser } = suite();
    const evil =
      '<img src=http://example.invalid/x onerror=alert(1)> ![x](http://example.invalid/y) <script>alert(2)</script>';
    await kairos.json(['send', evil, '--session', 'evil', '--wait']);
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await openSession(page, 'evil');
    expect({
      text: await page.locator('.message-in .plain-text').innerText(),
      images: await page.locator('img').count(),
      links: await page.locator('main a').count(),
    }).toEqual({
      text: evil,
      images: 0,
      links: 0,
    });
    await closeClean(opened);
  });

  it('speaks Chinese where the browser does', async () => {
    const { kairos, browser } = suite();
    const opened = await openWindow(kairos, browser, { locale: 'zh-CN' });
    const { page } = opened;
    await openSession(page, 'left');
    await page.keyboard.press('Control+/');
    await page.locator('dialog[open]').waitFor();
    const words = (await page.locator('body').innerText()).replace(/\s+/g, ' ');
    expect({
      lang: await page.locator('html').getAttribute('lang'),
      english: /Needs you|Ready|Asleep|Pause|Detail|Answered|Send\b|Other/.exec(words)?.[0] ?? null,
    }).toEqual({
      lang: 'zh',
      english: null,
    });
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    await closeClean(opened);
  });
});

describe(titled('The window while the daemon goes and comes'), { skip: isSkipped }, () => {
  const suite = windowSuite();
  it('goes on by itself after a restart, shows what was missed once, and sends what was written meanwhile once', async () => {
    const { kairos, browser } = suite();
    await kairos.json(['send', 'help', '--session', 'restart', '--wait']);
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await openSession(page, 'restart');
    await page.locator('.message-out').waitFor();
    await kairos.stopDaemon();
    await page.getByText('Kairos is not running.').waitFor({ timeout: 15_000 });
    await say(page, 'help again');
    const unsent = await page.locator('.is-unsent').innerText();
    await kairos.startDaemon();
    await kairos.json(['send', 'help from elsewhere', '--session', 'restart', '--wait']);
    await page.locator('.message-in', { hasText: 'from elsewhere' }).waitFor({ timeout: 15_000 });
    // Two that arrive together may be answered together.
    await expect.poll(() => page.getByRole('img', { name: 'Answered' }).count(), { timeout: 10_000 }).toBe(3);
    const texts = await page.locator('.message-in .plain-text').allInnerTexts();
    expect({ unsent, texts: texts.toSorted(), unsentLeft: await page.locator('.is-unsent').count() }).toEqual(
      {
        unsent: expect.stringContaining('Not stored yet'),
        texts: ['help', 'help again', 'help from elsewhere'],
        unsentLeft: 0,
      },
    );
    await closeClean(opened);
  });
});
