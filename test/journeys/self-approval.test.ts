import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../support/real/checkout.ts';
import { type Kairos, startKairos } from '../support/real/kairos.ts';
import { waitFor } from '../support/real/wait-for.ts';
import { send, settle, workFile } from './support/conversation.ts';

let kairos: Kairos;
let code: string;

beforeAll(async () => {
  kairos = await startKairos();
  await send(kairos, 'run echo stolen > stolen.txt', '--session', 'victim');
  code = (await kairos.approval()).code;
});
afterAll(async () => {
  await kairos.cli(['deny', code]);
  await kairos.dispose();
});

/** A script that knows everything an agent can find out, run by the agent without a question. */
async function attack(name: string, script: string): Promise<string> {
  const path = join(kairos.work, `${name}.sh`);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  await settle(kairos, `run ./${name}.sh > ${name}.out 2>&1`, '--session', 'attacker');
  return workFile(kairos, `${name}.out`) ?? '';
}

const program = join(root, 'dist/kairos.js');
const client = `
const { readFileSync } = require('node:fs');
const { url, token } = JSON.parse(readFileSync(process.argv[1] + '/daemon.json', 'utf8'));
const body = JSON.stringify({ verdict: { behavior: 'allow', scope: 'once' } });
const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' };
fetch(url + process.argv[2], { method: 'POST', headers, body: process.argv[3] ?? body })
  .then(async (answer) => console.log(answer.status, await answer.text()), (error) => console.log(String(error)));
`.replaceAll('\n', ' ');

function http(path: string, body = ''): string {
  return `"${process.execPath}" -e "${client.replaceAll('"', '\\"')}" "${kairos.home}" "${path}"${body === '' ? '' : ` '${body}'`}`;
}

describe('A command that the agent runs cannot', () => {
  it('approve its own call through the command line', async () => {
    const output = await attack('cli', `KAIROS_HOME="${kairos.home}" "${process.execPath}" "${program}" approve ${code} --json; echo exit $?`);
    expect(output).toMatch(/exit 5/);
  });

  it('approve it over HTTP with the token of daemon.json', async () => {
    const output = await attack('http', http(`api/v1/prompts/${code}/verdict`));
    expect(output).toMatch(/^403 /m);
  });

  it('approve it after setsid and a double fork, with an environment of its own', async () => {
    const inner = http(`api/v1/prompts/${code}/verdict`).replaceAll("'", `'\\''`);
    const output = await attack(
      'detached',
      `cat > inner.sh <<'END'\n${inner}\nEND\n(setsid env -i /bin/sh inner.sh > detached.inner 2>&1 &)\nwhile ! [ -s detached.inner ]; do sleep 0.05; done; cat detached.inner`,
    );
    expect(output).toMatch(/^403 /m);
  });

  it.each([
    ['give itself a mode', 'api/v1/sessions/attacker/mode', '{"mode":"bypassPermissions"}'],
    ['store a rule', 'api/v1/rules', '{"effect":"allow","rule":"Bash"}'],
    ['make a device', 'api/v1/devices', '{"name":"me","scopes":["approve"]}'],
    ['get a ticket', 'api/v1/tickets', '{}'],
    ['rotate the token', 'api/v1/token/rotate', '{}'],
  ])('%s', async (title, path, body) => {
    const output = await attack(title.replaceAll(' ', '-'), http(path, body));
    expect(output).toMatch(/^403 /m);
  });

  it('and all of it stands in the log, nothing was decided, and the person still can', async () => {
    const logs = await kairos.cli(['logs', '--json', '--lines', '1000']);
    const refused = logs.stdout.split('\n').filter((line) => /refus/i.test(line) && /peer|agent/i.test(line));
    const open = await kairos.approvals();
    expect({ refused: refused.length > 0, open: open.map((each) => each.code), file: workFile(kairos, 'stolen.txt') }).toEqual({
      refused: true,
      open: [code],
      file: null,
    });
    await kairos.json(['approve', code]);
    await waitFor(() => workFile(kairos, 'stolen.txt') !== null, { what: 'the approved command' });
  });
});
