import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createGate } from '../support/models/gate.ts';
import { text } from '../support/models/script.ts';
import { startModelHome } from '../support/real/model-home.ts';
import { hasTmux, Terminal } from '../support/real/terminal.ts';

const title = hasTmux
  ? 'A streamed answer in the terminal'
  : 'A streamed answer in the terminal (skipped: tmux is not installed)';
/** About 60 pieces a second for three seconds. */
const pieces = 180;
const piece = 'word **b** ';
/** What is typed is drawn at once, and seconds are counted. */
const ownFrames = 15;

describe(title, { skip: !hasTmux }, () => {
  it('is drawn at most 10 times a second, only where it changed, while one types, and ends as markdown', async () => {
    const trickle = { ...createGate(), pass: () => delay(16) };
    const home = await startModelHome('openai', {
      server: { answer: () => [text(piece.repeat(pieces), { chunk: piece.length, gate: trickle })] },
    });
    const terminal = await Terminal.open(home.kairos, ['assistant', '--prompt', 'go'], {
      columns: 80,
      rows: 24,
    });
    try {
      await terminal.shows('1 of 3');
      await terminal.press('Enter');
      await terminal.shows('2 of 3');
      await terminal.press('Enter');
      await terminal.shows('3 of 3');
      await delay(700);
      await terminal.press('Enter');
      await terminal.shows('word b word b');
      const [before, began] = [terminal.bytes().length, performance.now()];
      await terminal.type('typed meanwhile');
      await terminal.shows('> typed meanwhile');
      await terminal.shows(/^\d.* s$|calls?$/, 30_000);
      const written = terminal.bytes().slice(before);
      const seconds = (performance.now() - began) / 1000;
      const frames = written.split('\u001b[?2026h').length - 1;
      const full = 80 * 24;
      // oxlint-disable-next-line no-control-regex
      const clears = written.match(/\u001b\[[23]?J/g) ?? [];
      process.stdout.write(`${frames} frames, ${written.length} bytes in ${seconds.toFixed(1)} s\n`);
      expect({
        clears,
        isCalm: frames <= 10 * seconds + ownFrames,
        isSmall: written.length / frames < full / 2,
      }).toEqual({ clears: [], isCalm: true, isSmall: true });
    } finally {
      await terminal.close();
      await home.dispose();
    }
  });
});
