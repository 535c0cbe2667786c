import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/** A Chromium of the system, or null where there is none (`KAIROS_TEST_CHROMIUM` names another). */
export const chromiumPath: string | null =
  [process.env.KAIROS_TEST_CHROMIUM ?? '', ...places].find((path) => path !== '' && existsSync(path)) ?? null;

/** Why browser specs do not run here; null when they do. Said once per file, in its title. */
export const skipReason: string | null =
  chromiumPath === null ? 'no Chromium found (tried /usr/bin/chromium and KAIROS_TEST_CHROMIUM)' : null;

const quiet = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the browser without a window. */
export function launchChromium(): Promise<Browser> {
  if (chromiumPath === null) throw new Error(skipReason ?? 'no Chromium');
  return chromium.launch({ executablePath: chromiumPath, args: quiet });
}

/** A page and everything in it that should not have happened: errors, refusals of the page's policy, foreign requests. */
export interface WatchedPage {
  readonly page: Page;
  readonly complaints: readonly string[];
}

/** Opens a fresh context, so that no test sees what another one kept. */
export async function watchedPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    ...options,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // A connection that fails while the daemon is away is what some specs are about.
    if (
      message.type() === 'error' &&
      !/ERR_CONNECTION|WebSocket|Failed to load resource/.test(message.text())
    )
      complaints.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const { hostname } = new URL(request.url());
    if (hostname !== '127.0.0.1') complaints.push(`foreign request: ${request.url()}`);
  });
  return { page, complaints };
}
