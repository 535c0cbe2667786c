import { describe, expect, it } from 'vitest';
import { withKairos } from '../support/real/kairos.ts';
import { longSession } from '../support/real/long-log.ts';
import { hasTmux, Terminal } from '../support/real/terminal.ts';

const title = hasTmux
  ? 'A long history in the terminal'
  : 'A long history in the terminal (skipped: tmux is not installed)';

describe(title, { skip: !hasTmux }, () => {
  it('of 100,000 events opens as fast as a short one, and pages up while staying where one is', async () => {
    await withKairos({}, async (kairos) => {
      await longSession(kairos, 100_000);
      await kairos.startDaemon();
      const began = performance.now();
      const terminal = await Terminal.open(kairos, ['assistant', 'long']);
      try {
        await terminal.shows('Message Kairos');
        await terminal.shows(/> (help|run|write|read)/);
        const firstPage = performance.now() - began;
        await terminal.shows(/offline/);
        for (let pages = 0; pages < 30; pages += 1) await terminal.press('PageUp');
        const up = await terminal.shows('Not at the end');
        await terminal.press('Home');
        await terminal.press('End');
        await terminal.shows(/^─{80}$/);
        process.stdout.write(
          `first page of 100,000 events after ${Math.round(firstPage)} ms, with the start of the program\n`,
        );
        expect({ isFast: firstPage < 5_000, hasRows: up.filter((row) => row !== '').length > 10 }).toEqual({
          isFast: true,
          hasRows: true,
        });
      } finally {
        await terminal.close();
      }
    });
  }, 120_000);
});
