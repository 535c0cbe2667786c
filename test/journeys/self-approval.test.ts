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
  writeFileSync(join(kairos.work, 'thief.mjs'), thief);
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

/** What an agent can write for itself: the token from the file, and every header that the bridge asks for. */
const thief = `
import { readFileSync } from 'node:fs';
const [home, path, body] = process.argv.slice(2);
const { url, token } = JSON.parse(readFileSync(home + '/daemon.json', 'utf8'));
const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json', origin: new URL(url).origin };
const answer = await fetch(new URL(path, url), { method: 'POST', headers, body });
console.log(answer.status, await answer.text());
`;

const allow = '{"verdict":{"behavior":"allow","scope":"once"}}';

function http(path: string, body = allow): string {
  return `"${process.execPath}" thief.mjs "${kairos.home}" "${path}" '${body}'`;
}

const refused = /^403 .*Programs that the agent started may not/m;

describe('A command that the agent runs cannot', () => {
  it('approve its own call through the command line', async () => {
    const output = await attack(
      'cli',
      `KAIROS_HOME="${kairos.home}" "${process.execPath}" "${program}" approve ${code} --json; echo exit $?`,
    );
    expect(output).toMatch(/exit 5/);
  });

  it('approve it over HTTP with the token of daemon.json', async () => {
    const output = await attack('http', http(`/api/v1/prompts/${code}/verdict`));
    expect(output).toMatch(refused);
  });

  it.each([
    ['after setsid and a double fork', ''],
    ['after that and with an environment of its own', 'env -i'],
  ])('approve it %s', async (title, wrapper) => {
    const name = `detached-${title.length}`;
    const inner = http(`/api/v1/prompts/${code}/verdict`);
    const script = [
      `cat > ${name}.inner <<'END'\n${inner}\nEND`,
      `(setsid ${wrapper} /bin/sh ${name}.inner > ${name}.said 2>&1 &)`,
      `while ! [ -s ${name}.said ]; do sleep 0.05; done; cat ${name}.said`,
    ];
    expect(await attack(name, script.join('\n'))).toMatch(refused);
  });

  it.each([
    ['rules', 'rules add allow Bash'],
    ['mode', 'mode attacker bypassPermissions'],
    ['device', 'devices add me --scopes approve'],
    ['token', 'token rotate'],
    ['session', 'sessions new --mode bypassPermissions'],
    ['pause', 'pause victim'],
  ])('decide anything else through the command line: %s', async (name, command) => {
    const output = await attack(
      `cli-${name}`,
      `KAIROS_HOME="${kairos.home}" "${process.execPath}" "${program}" ${command} --json; echo exit $?`,
    );
    expect(output).toMatch(/exit 5/);
  });

  it.each([
    ['give itself a mode', '/api/v1/sessions/attacker/mode', '{"mode":"bypassPermissions"}'],
    ['store a rule', '/api/v1/rules', '{"effect":"allow","rule":"Bash"}'],
    ['trust a directory', '/api/v1/trust', '{"dir":"/tmp","digest":"d","trusted":true}'],
    ['take trust back', '/api/v1/trust/revoke', '{"dir":"/tmp"}'],
    ['make a device', '/api/v1/devices', '{"name":"me","scopes":["approve"]}'],
    ['get a ticket', '/api/v1/tickets', '{}'],
    ['rotate the token', '/api/v1/token/rotate', '{}'],
  ])('%s', async (title, path, body) => {
    const output = await attack(title.replaceAll(' ', '-'), http(path, body));
    expect(output).toMatch(refused);
  });

  it('and all of it stands in the log, nothing was decided, and the person still can', async () => {
    const logs = await kairos.cli(['logs', '--json', '--lines', '1000']);
    const noted = logs.stdout.split('\n').filter((line) => line.includes('Programs that the agent started'));
    const open = await kairos.approvals();
    expect({
      noted: noted.length >= 10,
      open: open.map((each) => each.code),
      file: workFile(kairos, 'stolen.txt'),
    }).toEqual({
      noted: true,
      open: [code],
      file: null,
    });
    await kairos.json(['approve', code]);
    await waitFor(() => workFile(kairos, 'stolen.txt') !== null, { what: 'the approved command' });
  });
});
