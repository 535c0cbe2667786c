import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright';
import { chromiumPath, launchChromium } from '../../browser/support/chromium.ts';
import { openSession, openWindow } from '../../browser/support/open-window.ts';
import { distFolder } from '../../support/real/checkout.ts';
import { type Kairos, withKairos } from '../../support/real/kairos.ts';
import { longSession } from '../../support/real/long-log.ts';
import { median, spread } from '../../support/samples.ts';
import type { Figure, Row } from '../row.ts';

const events = 1_000_000;
const samples = 5;
/** Pages that are scrolled through; each is as costly as the last one. */
const pages = 40;
const messagesPerSecond = 60;
const busySeconds = 8;

/** The window in the system's Chromium, on a session with a long life behind it. */
export const windowRow: Row = {
  name: 'window',
  title: 'The window, on a session of 1,000,000 events',
  async run() {
    const figures: Figure[] = [bundleFigure()];
    if (chromiumPath === null) return figures;
    await withKairos({}, async (kairos) => {
      await longSession(kairos, events);
      await kairos.startDaemon();
      const browser = await launchChromium();
      try {
        figures.push(await searchFigure(kairos));
        const first: number[] = [];
        for (let index = 0; index < samples; index += 1) {
          const { page } = await openWindow(kairos, browser);
          first.push(await firstPaint(page));
          if (index < samples - 1) await page.context().close();
          else figures.push(...(await goBack(page)), ...(await busy(kairos, page)));
        }
        figures.push({
          name: 'a session opened -> its end painted',
          value: median(first),
          unit: 'ms',
          target: 500,
          note: spread(first),
        });
      } finally {
        await browser.close();
      }
    });
    return figures;
  },
};

/** What a first view loads: the script of the page and its styles, not the chunks that come when they are needed. */
function bundleFigure(): Figure {
  const folder = join(distFolder('dist'), 'window', 'assets');
  const bytes = readdirSync(folder)
    .filter((name) => /^index-.*\.(js|css)$/.test(name))
    .reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name)), { level: 9 }).length, 0);
  return { name: 'first view, gzip', value: bytes / 1024, unit: 'KB', target: 400 };
}

async function searchFigure(kairos: Kairos): Promise<Figure> {
  const find = async (words: string): Promise<number> => {
    const began = performance.now();
    await kairos.bridge.get(`/search?q=${encodeURIComponent(words)}&limit=50`);
    return performance.now() - began;
  };
  // The first one makes the index.
  await find('note');
  const times: number[] = [];
  for (const words of ['note.txt', 'seq 200', 'exit', 'what can', 'one line']) times.push(await find(words));
  const name = 'search over 1,000,000 events';
  return { name, value: median(times), unit: 'ms', target: 100, note: spread(times) };
}

/** From the click to the picture with the newest row in it, ms. */
async function firstPaint(page: Page): Promise<number> {
  // The window opens with this session: leave it for the form first.
  await page.getByRole('button', { name: 'New session' }).click();
  await page.locator('.new-session').waitFor();
  return page.evaluate(async () => {
    const began = performance.now();
    document.querySelector<HTMLElement>('.session-row')?.click();
    for (;;) {
      await new Promise((drawn) => requestAnimationFrame(drawn));
      const pane = document.querySelector('.history');
      const atEnd = pane !== null && pane.scrollHeight - pane.scrollTop - pane.clientHeight < 9;
      if (atEnd && document.querySelectorAll('.history-row').length > 3) break;
    }
    return performance.now() - began;
  });
}

/** Scrolls up page by page; how far the row in sight jumped when an older page came, and how long a page took. */
async function goBack(page: Page): Promise<Figure[]> {
  const { jumps, times } = await page.evaluate(async (count) => {
    const pane = document.querySelector('.history') as HTMLElement;
    // After a picture, not before it.
    const drawn = (): Promise<unknown> =>
      new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const anchor = (): { seq: string; top: number } => {
      const edge = pane.getBoundingClientRect().top;
      const rows = [...document.querySelectorAll<HTMLElement>('.history-row')];
      // Calls of a turn are folded at its first one: their row may move up with the next page.
      const row = rows.find(
        (each) =>
          each.getBoundingClientRect().bottom > edge &&
          each.querySelector('.message-in, .message-out') !== null,
      );
      return { seq: row?.dataset.seq ?? '', top: row?.getBoundingClientRect().top ?? 0 };
    };
    const [jumps, times]: [number[], number[]] = [[], []];
    for (let index = 0; index < count; index += 1) {
      pane.scrollTo(0, 700);
      await drawn();
      await drawn();
      const [before, began] = [anchor(), performance.now()];
      while (pane.scrollTop < 1_500 && performance.now() - began < 5_000) await drawn();
      times.push(performance.now() - began);
      const row = document.querySelector<HTMLElement>(`.history-row[data-seq="${before.seq}"]`);
      jumps.push(row === null ? Number.NaN : Math.abs(row.getBoundingClientRect().top - before.top));
    }
    return { jumps, times };
  }, pages);
  return [
    {
      name: 'an older page: jump of the row in sight, worst',
      value: Math.max(...jumps.map((jump) => (Number.isNaN(jump) ? 10_000 : jump))),
      unit: 'px',
      target: 1,
    },
    { name: 'an older page, from scrolling to drawn', value: median(times), unit: 'ms', note: spread(times) },
  ];
}

/** Pictures while messages stream into the open session, at its end and scrolled up. */
async function busy(kairos: Kairos, page: Page): Promise<Figure[]> {
  await kairos.json(['send', 'help', '--session', 'busy', '--wait']);
  await kairos.bridge.get({ method: 'POST', path: '/sessions/busy/pause' });
  await openSession(page, 'busy');
  const work = await mainThreadWork(page);
  const before = await work();
  const sending = sendMany(kairos);
  const frames = await page.evaluate(async (ms) => {
    const times: number[] = [];
    const began = await new Promise<number>((drawn) => requestAnimationFrame(drawn));
    for (let last = began; last - began < ms; ) {
      const now = await new Promise<number>((drawn) => requestAnimationFrame(drawn));
      times.push(now - last);
      last = now;
    }
    return times;
  }, busySeconds * 1000);
  const worked = (await work()) - before;
  await sending;
  const sorted = frames.toSorted((left, right) => left - right);
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  const busyPicture = `a picture at ${messagesPerSecond} messages/s`;
  return [
    { name: `${busyPicture}, p95`, value: p95, unit: 'ms', target: 20, note: spread(frames) },
    // Says more than the one above where other programs want the cores too.
    { name: `${busyPicture}, work of the page`, value: (worked * 1000) / frames.length, unit: 'ms' },
  ];
}

/** Seconds of work that the page's main thread has done so far. */
async function mainThreadWork(page: Page): Promise<() => Promise<number>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  return async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
}

async function sendMany(kairos: Kairos): Promise<void> {
  const began = performance.now();
  for (let index = 0; index < messagesPerSecond * busySeconds; index += 1) {
    const due = began + (index * 1000) / messagesPerSecond;
    await new Promise((done) => setTimeout(done, Math.max(0, due - performance.now())));
    await kairos.bridge.get({
      path: '/messages',
      body: {
        session: 'busy',
        uuid: `busy-message-${index}`,
        text: `message ${index} of a busy **channel**`,
      },
    });
  }
}
