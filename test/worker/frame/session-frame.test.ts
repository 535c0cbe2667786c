import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../shared/base/json.ts';
import { mostHot, toolsOfSession } from '../../../electron/worker/frame/hot-set.ts';
import { sessionFrame } from '../../../electron/worker/frame/session-frame.ts';
import { allTools } from '../../../electron/worker/tools/tool-table.ts';
import type { Tool } from '../../../electron/worker/tools/tool.ts';
import { webSearchTool } from '../../../electron/worker/tools/web/web-search.ts';

let dir = '';
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'kairos-frame-')));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function frames(
  more: { brief?: boolean; model?: string; build?: string } = {},
  own: readonly Tool[] = allTools,
) {
  const { brief = true, model = 'test/m', build = 'b1' } = more;
  const { offered } = toolsOfSession(own, brief);
  return sessionFrame({ lease: { dir, model, brief }, build, offered, home: dir });
}

describe('the first request of a fresh session', () => {
  test.each([true, false])(
    'has at most 9 KB of system prompt and schemas (brief: %s), ten tools, and reaches every other',
    async (brief) => {
      const { system, tools, deferred } = await frames({ brief }).make();
      const bytes = Buffer.byteLength(JSON.stringify({ system, tools }));
      const names = [...tools, ...deferred].map(({ name }) => name);
      const reachable = allTools
        .map(({ name }) => name)
        .filter((name) => (brief || name !== 'SendUserMessage') && name !== 'Brief');
      expect(bytes).toBeLessThanOrEqual(9 * 1024);
      expect(tools.length).toBeLessThanOrEqual(mostHot);
      expect(names.toSorted()).toEqual([...reachable, 'FindTools', 'UseTool'].toSorted());
    },
  );

  test('names SendUserMessage in brief mode and nowhere else', async () => {
    const [brief, plain] = [await frames().make(), await frames({ brief: false }).make()];
    expect([
      JSON.stringify(brief).includes('SendUserMessage'),
      JSON.stringify(plain).includes('SendUserMessage'),
    ]).toEqual([true, false]);
  });
});

describe('the frame of a session', () => {
  test('has the same bytes whenever it is made, and nothing of the day', async () => {
    writeFileSync(join(dir, 'AGENTS.md'), 'Use tabs.');
    const [one, two] = [await frames().make(), await frames().make()];
    expect([
      canonicalJson(one) === canonicalJson(two),
      one.system.includes('Use tabs.'),
      one.system.includes(String(new Date().getFullYear())),
    ]).toEqual([true, true, false]);
  });

  test('fits as long as build, model and brief mode are the same', async () => {
    const made = await frames().make();
    expect(
      [frames(), frames({ build: 'b2' }), frames({ model: 'x' }), frames({ brief: false })].map((each) =>
        each.fits(made),
      ),
    ).toEqual([true, false, false, false]);
  });

  test('does not fit any more when the settings give or take the search of the web', async () => {
    const searching = frames({}, [...allTools, webSearchTool(async () => [])]);
    const plain = frames();
    const made = [await searching.make(), await plain.make()];
    expect(made.map((frame) => [searching.fits(frame), plain.fits(frame)])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  test('tells of instruction files that came, changed and went', async () => {
    const source = frames();
    const path = join(dir, 'AGENTS.md');
    const { instructions = '' } = await source.make();
    const none = await source.news(instructions);
    writeFileSync(path, 'one');
    const came = await source.news(instructions);
    const known = await source.news(came?.digest ?? '');
    rmSync(path);
    const gone = await source.news(came?.digest ?? '');
    expect([none, came?.text.includes('one'), known, gone?.digest]).toEqual([null, true, null, '']);
  });
});
