import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withKairos } from '../support/real/kairos.ts';
import { type Sent, send, settle } from './support/conversation.ts';

interface Report {
  readonly checks: readonly {
    readonly name: string;
    readonly state: string;
    readonly detail: string;
    readonly next: string;
  }[];
}

describe('settings.json with mistakes', () => {
  it('a wrong section is ignored with a notice, the others hold, and the file is not touched', () => {
    const settings = {
      sessions: { hibernateAfterSeconds: 'soon' },
      bridge: { port: 0 },
      unknownKey: { kept: true },
      port: 1,
    };
    return withKairos({ settings }, async (kairos) => {
      const doctor = await kairos.cli(['doctor', '--json']);
      const details = (doctor.json as Report).checks
        .filter(({ name }) => name.startsWith('settings'))
        .map(({ detail }) => detail);
      const sent = await settle(kairos, 'help');
      expect({
        details,
        state: sent.state,
        file: JSON.parse(readFileSync(join(kairos.home, 'settings.json'), 'utf8')),
      }).toEqual({
        details: [
          expect.stringContaining('sessions.hibernateAfterSeconds'),
          expect.stringContaining('"unknownKey"'),
          expect.stringContaining('"bridge.port"'),
        ],
        state: 'settled',
        file: settings,
      });
    });
  });

  it('that is no JSON: the defaults hold, and every tool asks in every mode until it is mended', () =>
    withKairos({ settings: '{ "permissions": ' }, async (kairos) => {
      const doctor = await kairos.cli(['doctor']);
      await send(kairos, 'run echo x', '--mode', 'bypassPermissions');
      const { code } = await kairos.approval();
      await kairos.json(['deny', code]);
      expect({ code: doctor.code, told: doctor.stdout }).toEqual({
        code: 1,
        told: expect.stringContaining('settings.json is not valid JSON'),
      });
    }));

  it('permissions that cannot be read make every tool ask; a deny rule denies in every mode', () =>
    withKairos(
      { settings: { permissions: { deny: ['Bash(echo never)'], allow: ['Bash(echo always)'] } } },
      async (kairos) => {
        const denied = await kairos.json<Sent>([
          'send',
          'run echo never',
          '--wait',
          '--timeout',
          '20',
          '--mode',
          'bypassPermissions',
        ]);
        const allowed = await kairos.json<Sent>(['send', 'run echo always', '--wait', '--timeout', '20']);
        expect([denied, allowed].map(({ replies }) => /not allowed/.test(replies[0]?.text ?? ''))).toEqual([
          true,
          false,
        ]);
      },
    ));
});

describe('A directory that sessions cannot work in', () => {
  it.each([
    ['missing', '/no/such/directory'],
    ['a file', '/etc/passwd'],
  ])('%s: a clear error, nothing is stored', (_, dir) =>
    withKairos({}, async (kairos) => {
      const refused = await kairos.cli(['send', 'help', '--dir', dir]);
      expect({ code: refused.code, stderr: refused.stderr, sessions: await kairos.sessions() }).toEqual({
        code: 2,
        stderr: expect.stringContaining(dir),
        sessions: [],
      });
    }),
  );

  it('that vanished meanwhile: the call fails with a reason, the session goes on', () =>
    withKairos({}, async (kairos) => {
      const dir = join(kairos.work, 'gone');
      const { mkdirSync, rmSync } = await import('node:fs');
      mkdirSync(dir);
      await settle(kairos, 'help', '--session', 'gone', '--dir', dir);
      rmSync(dir, { recursive: true });
      const sent = await settle(kairos, 'run echo x', '--session', 'gone');
      mkdirSync(dir);
      const again = await settle(kairos, 'run echo x > there.txt', '--session', 'gone');
      expect([sent.state, again.state, readFileSync(join(dir, 'there.txt'), 'utf8')]).toEqual([
        'settled',
        'settled',
        'x\n',
      ]);
    }));

  it('a state directory that others could read is refused or closed', () =>
    withKairos({}, async (kairos) => {
      await kairos.stopDaemon();
      chmodSync(kairos.home, 0o755);
      const started = await kairos.cli(['daemon', 'start', '--json']);
      const { statSync } = await import('node:fs');
      const mode = statSync(kairos.home).mode & 0o777;
      expect(started.code === 0 ? mode : started.stderr).toEqual(
        started.code === 0 ? 0o700 : expect.stringContaining(kairos.home),
      );
      chmodSync(kairos.home, 0o700);
    }));
});
