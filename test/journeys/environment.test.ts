import { expect, it } from 'vitest';
import { withKairos } from '../support/real/kairos.ts';
import { send, settle, settled, workFile } from './support/conversation.ts';

const env = {
  ANTHROPIC_API_KEY: 'canary-anthropic',
  GITHUB_TOKEN: 'canary-github',
  DB_PASSWORD: 'canary-password',
  AWS_SECRET_ACCESS_KEY: 'canary-aws',
  KAIROS_PRIVATE: 'canary-kairos',
  NPM_TOKEN: 'canary-passed',
  HARMLESS: 'fine',
};

it('Tools see no KAIROS_* and no secrets, but what the person passes on by name and what is harmless', () =>
  withKairos({ env, settings: { env: { pass: ['NPM_TOKEN'] } } }, async (kairos) => {
    const { message } = await send(
      kairos,
      'run env > env.txt; cat /proc/$PPID/environ | tr "\\0" "\\n" > parent.txt',
      '--session',
      'env',
    );
    // What may look into Kairos's own processes is asked about in every mode.
    await kairos.cli(['approve', (await kairos.approval()).code]);
    await settled(kairos, message);
    const tool = workFile(kairos, 'env.txt') ?? '';
    const names = tool.split('\n').flatMap((line) => /^([A-Z_]+)=/.exec(line)?.[1] ?? []);
    const worker = workFile(kairos, 'parent.txt') ?? '';
    expect({
      kairos: names.filter((name) => name.startsWith('KAIROS_')),
      canaries: tool.match(/canary-\w+/g),
      harmless: names.includes('HARMLESS'),
      worker: worker.match(/canary-\w+/g),
    }).toEqual({ kairos: ['KAIROS_RUN'], canaries: ['canary-passed'], harmless: true, worker: null });
  }));

it('A canary secret shows up in no log, no event and no answer', () =>
  withKairos({ env }, async (kairos) => {
    await settle(kairos, 'run env', '--session', 'env');
    const outputs = await Promise.all([
      kairos.cli(['logs', '--lines', '1000']),
      kairos.cli(['export', 'env']),
      kairos.cli(['doctor', '--json']),
    ]);
    expect(outputs.map(({ stdout, stderr }) => `${stdout}${stderr}`.match(/canary-\w+/g))).toEqual([
      null,
      null,
      null,
    ]);
  }));
