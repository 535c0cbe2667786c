import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withKairos } from '../support/real/kairos.ts';
import { settle } from './support/conversation.ts';

const settings = { sessions: { capacity: 3 } };

it('A backup made while Kairos runs brings back exactly what was stored then, long texts and settings too', async () => {
  await withKairos({ settings }, async (kairos) => {
    await settle(kairos, 'run echo one', '--session', 'shop');
    await settle(kairos, `run echo ${'long '.repeat(20_000)}`, '--session', 'shop');
    const saved = await kairos.exported('shop');
    const folder = join(kairos.base, 'backup');
    const made = await kairos.json<{ blobs: number; missing: string[] }>(['backup', folder]);
    const again = await kairos.cli(['backup', folder]);
    await settle(kairos, 'run echo two', '--session', 'shop');
    kairos.writeSettings({ sessions: { capacity: 4 } });

    const running = await kairos.cli(['restore', folder, '--replace']);
    await kairos.stopDaemon();
    const kept = await kairos.cli(['restore', folder]);
    const restored = await kairos.json<{ kept: string[] }>(['restore', folder, '--replace']);
    await kairos.startDaemon();
    const present = await kairos.exported('shop');
    await settle(kairos, 'run echo three', '--session', 'shop');

    expect({
      made: made.blobs > 0 && made.missing.length === 0,
      refused: [again.code, running.code, / daemon stop$/m.test(running.stderr), kept.code],
      hint: kept.stderr.includes('--replace'),
      kept: restored.kept.map((path) => path.slice(kairos.home.length + 1).replace(/\d{14}/, 'T')).sort(),
      present,
      settings: JSON.parse(readFileSync(join(kairos.home, 'settings.json'), 'utf8')) as unknown,
      left: readdirSync(kairos.home).filter((name) => name.endsWith('.tmp')),
      goesOn: (await kairos.exported('shop')).length > saved.length,
    }).toEqual({
      made: true,
      refused: [2, 1, true, 5],
      hint: true,
      kept: ['blobs.bak-T', 'settings.json.bak-T', 'store.db.bak-T', 'store.mark.bak-T'],
      present: saved,
      settings,
      left: [],
      goesOn: true,
    });
  });
});

it('A damaged backup is refused and changes nothing', async () => {
  await withKairos({}, async (kairos) => {
    await settle(kairos, 'run echo one', '--session', 'shop');
    const folder = join(kairos.base, 'backup');
    await kairos.json(['backup', folder]);
    const bytes = readFileSync(join(folder, 'store.db'));
    bytes.fill(0x5a, 4096, 3 * 4096);
    writeFileSync(join(folder, 'store.db'), bytes);
    const saved = await kairos.exported('shop');
    await kairos.stopDaemon();
    const refused = await kairos.cli(['restore', folder, '--replace']);
    await kairos.startDaemon();
    expect({
      code: refused.code,
      says: /The backup is damaged .* nothing was changed\./.test(refused.stderr),
      present: await kairos.exported('shop'),
      left: readdirSync(kairos.home).filter((name) => /\.bak|\.tmp/.test(name)),
      whole: existsSync(join(kairos.home, 'store.db')),
    }).toEqual({ code: 1, says: true, present: saved, left: [], whole: true });
  });
});
