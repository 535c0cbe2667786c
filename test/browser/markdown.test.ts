import { describe, expect, it } from 'vitest';
import { addAnswers } from '../support/real/long-log.ts';
import { answer } from './support/answer.ts';
import { closeClean, openSession, openWindow } from './support/open-window.ts';
import { isSkipped, titled, windowSuite } from './support/suite.ts';

describe(titled('An answer in Markdown'), { skip: isSkipped }, () => {
  const suite = windowSuite();
  it('is set as it is meant, colours its code, loads nothing and runs nothing', async () => {
    const { kairos, browser } = suite();
    await kairos.json(['send', 'help', '--session', 'markdown', '--wait']);
    await kairos.stopDaemon();
    addAnswers(kairos, 'markdown', [answer]);
    await kairos.startDaemon();
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await openSession(page, 'markdown');
    const message = page.locator('.message-out').last();
    await message.locator('.code-text span[style*="--code-token-keyword"]').first().waitFor();
    await message.locator('.code .button').click();
    const links = message.locator('a');
    expect({
      title: await message.locator('.markdown-title').innerText(),
      strong: await message.locator('strong').innerText(),
      cells: await message.locator('td').allInnerTexts(),
      tasks: await message.locator('.task-mark').allInnerTexts(),
      copied: await page.evaluate(() => navigator.clipboard.readText()),
      links: await links.evaluateAll((all) =>
        all.map((link) => [link.textContent, link.getAttribute('rel'), link.getAttribute('target')]),
      ),
      diff: await message
        .locator('.diff .diff-line.is-added')
        .evaluateAll((lines) => lines.map((line) => line.textContent)),
      path: await message.locator('.diff-path').innerText(),
      loaded: await message.locator('img, script, iframe').count(),
      pageTitle: await page.title(),
    }).toEqual({
      title: 'Result',
      strong: 'fails',
      cells: ['pay.ts', '120'],
      tasks: ['☑', '☐'],
      copied:
        'export function pay(total: number): string {\n  // adds the fee\n  return `${total + 1} USD`;\n}',
      links: [
        ['the log (logs.example)', 'noopener noreferrer', '_blank'],
        ['▧ chart (evil.example)', 'noopener noreferrer', '_blank'],
      ],
      diff: ['11+  return total + 1;'],
      path: 'pay.ts',
      loaded: 0,
      pageTitle: 'Kairos',
    });
    await closeClean(opened);
  });
});

describe(titled('A call in the window'), { skip: isSkipped }, () => {
  const suite = windowSuite();
  it('shows a long output by its edges, all of it on demand, and a written file as a diff', async () => {
    const { kairos, browser } = suite();
    const text = 'run seq 1 60\nwrite a.txt: one';
    await kairos.json(['send', text, '--session', 'calls', '--mode', 'bypassPermissions', '--wait']);
    const opened = await openWindow(kairos, browser);
    const { page } = opened;
    await openSession(page, 'calls');
    await page.locator('.fold', { hasText: '2 calls' }).click();
    await page.locator('.fold', { hasText: 'seq 1 60' }).click();
    const output = page.locator('.long-output');
    const gap = await output.locator('.long-output-gap').innerText();
    const edges = await output.locator('pre').allInnerTexts();
    await output.getByRole('button', { name: 'Show all' }).click();
    const whole = await output.locator('pre').innerText();
    await page.locator('.fold', { hasText: 'Write' }).click();
    await page.locator('.call-body .diff-line.is-added').waitFor();
    expect({
      gap: Number.parseInt(gap, 10) >= 40,
      edges: [edges[0]?.includes('1\n2\n3'), edges[1]?.trim().endsWith('60')],
      whole: whole.includes('30\n31\n32'),
      written: await page.locator('.call-body .diff-text').allInnerTexts(),
    }).toEqual({ gap: true, edges: [true, true], whole: true, written: expect.arrayContaining(['one']) });
    await closeClean(opened);
  });
});
