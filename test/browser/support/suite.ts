import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe } from 'vitest';
import { type Kairos, startKairos } from '../../support/real/kairos.ts';
import { launchChromium, skipReason } from './chromium.ts';

/** What the specs of a file share: one daemon and one browser. */
export interface Suite {
  readonly kairos: Kairos;
  readonly browser: Browser;
}

const isSkipped = skipReason !== null;

/** Declares specs that need a daemon and a browser; without a browser their common title says why none of them ran. */
export function describeWindow(title: string, specs: (suite: () => Suite) => void): void {
  describe.skipIf(isSkipped)(isSkipped ? `${title} (skipped: ${skipReason})` : title, () => {
    let suite: Suite | null = null;
    beforeAll(async () => {
      suite = { kairos: await startKairos(), browser: await launchChromium() };
    });
    afterAll(async () => {
      await suite?.browser.close();
      await suite?.kairos.dispose();
    });
    specs(() => {
      if (suite === null) throw new Error('the suite has not started');
      return suite;
    });
  });
}
