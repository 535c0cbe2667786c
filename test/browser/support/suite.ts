import type { Browser } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import { type Kairos, startKairos } from '../../support/real/kairos.ts';
import { launchChromium, skipReason } from './chromium.ts';

/** What the specs of a group share: one daemon and one browser. */
export interface Suite {
  readonly kairos: Kairos;
  readonly browser: Browser;
}

/** True where no browser is there to run the specs in. */
export const isSkipped = skipReason !== null;

/** The title of a group of specs; without a browser it says why none of them ran. */
export function titled(title: string): string {
  return isSkipped ? `${title} (skipped: ${skipReason})` : title;
}

/** Starts a daemon and a browser before the specs of the group that calls this, and ends both after them. */
export function windowSuite(): () => Suite {
  let suite: Suite | null = null;
  beforeAll(async () => {
    suite = { kairos: await startKairos(), browser: await launchChromium() };
  });
  afterAll(async () => {
    await suite?.browser.close();
    await suite?.kairos.dispose();
  });
  return () => {
    if (suite === null) throw new Error('the suite has not started');
    return suite;
  };
}
