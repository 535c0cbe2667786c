import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ask } from '../support/models/ask.ts';
import { call, calls, type Script, text } from '../support/models/script.ts';
import type { ModelServer } from '../support/models/server.ts';
import { startModelServer, wireNames } from '../support/models/start.ts';
import { type Kairos, startKairos } from '../support/real/kairos.ts';
import { samplePdf, samplePng } from '../worker/support/sample-files.ts';
import { bodies, replyText, settle } from './support/conversation.ts';

/** `please read <path>` reads it; then the model says what it got. */
function model(ask: Ask): Script {
  const last = ask.turns.at(-1);
  const path = /please read (.*)/.exec(last?.text ?? '')?.[1];
  if (path !== undefined && last?.results.length === 0) return [calls(call('Read', { file_path: path }))];
  const [result] = last?.results ?? [];
  return [text(`${(result?.images ?? 0) + (last?.images ?? 0)} pictures: ${result?.text ?? ''}`)];
}

describe.each(wireNames)('Over the %s wire', (wire) => {
  let server: ModelServer;
  let kairos: Kairos;
  beforeAll(async () => {
    server = await startModelServer(wire, { apiKey: 'key', answer: model });
    const prefix = wire === 'anthropic' ? 'ANTHROPIC' : 'OPENAI';
    const base = wire === 'anthropic' ? server.url : server.baseUrl;
    kairos = await startKairos({
      env: { [`${prefix}_API_KEY`]: 'key', [`${prefix}_BASE_URL`]: base, KAIROS_MODEL: '' },
    });
  });
  afterAll(async () => {
    await kairos.dispose();
    await server.close();
  });

  it('a model sees a picture, or reads that there is one, and reads a PDF', async () => {
    writeFileSync(join(kairos.work, 'a.png'), samplePng());
    writeFileSync(join(kairos.work, 'a.pdf'), samplePdf(['Hello there']));
    const picture = await settle(kairos, 'please read a.png', '--session', 'reader');
    const pdf = await settle(kairos, 'please read a.pdf', '--session', 'reader');
    const said = `[image/png, 1 x 1 pixels, ${samplePng().length} bytes; the picture is attached]`;
    // A model of which nobody knows that it sees.
    const blind = '(A picture came with it; this model reads no pictures.)';
    const [result] = bodies(await kairos.exported('reader'), 'call.ended').map((body) => body.result);
    expect([replyText(picture), replyText(pdf), result.images]).toEqual([
      wire === 'anthropic' ? `1 pictures: ${said}` : `0 pictures: ${said}\n${blind}`,
      '0 pictures: [PDF, 1 page]\n--- page 1 ---\nHello there',
      [expect.objectContaining({ mediaType: 'image/png', bytes: samplePng().length })],
    ]);
  }, 60_000);
});

describe('Without a model', () => {
  it('files are found and searched with plain words, in English and Chinese', async () => {
    const kairos = await startKairos();
    try {
      for (const [name, content] of Object.entries({ 'docs/a.md': '待办：茶\n', 'b.ts': 'TODO tea\n' })) {
        mkdirSync(dirname(join(kairos.work, name)), { recursive: true });
        writeFileSync(join(kairos.work, name), content);
      }
      const sent = async (line: string): Promise<string> =>
        replyText(await settle(kairos, line, '--session', 'plain'));
      expect([await sent('find *.md'), await sent('search TODO'), await sent('搜索 待办 在 docs')]).toEqual([
        'Found for `**/*.md`:\n```\ndocs/a.md\n```',
        'Found for `TODO`:\n```\nb.ts:1:TODO tea\n```',
        '找到 `待办`：\n```\ndocs/a.md:1:待办：茶\n```',
      ]);
    } finally {
      await kairos.dispose();
    }
  }, 60_000);
});
