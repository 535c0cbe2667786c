import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { noSandbox, type SandboxConfig } from '../../../shared/domain/sandbox.ts';
import { waitFor } from '../../support/real/wait-for.ts';
import { type ToolBench, toolBench } from '../support/tool-bench.ts';
import { skipReason } from './support.ts';

const missing = { kind: 'missing', why: 'There is no bubblewrap.', next: 'Install it.' } as const;
let bench: ToolBench;
afterEach(() => {
  vi.restoreAllMocks();
  bench.remove();
});
const start = async (config: Partial<SandboxConfig>): Promise<void> => {
  bench = await toolBench(config);
};
const facts = async (command: string) => {
  const { facts: found, message } = await bench.prepare('Bash', { command });
  return message ?? { sandboxed: found?.sandboxed, preview: found?.preview };
};

describe('what a person is told about where a command runs', () => {
  test('off: nothing', async () => {
    await start({});
    expect(await facts('ls')).toEqual({ sandboxed: undefined, preview: 'ls' });
  });

  test.skipIf(skipReason !== null)('on: in the sandbox, and what that means', async () => {
    await start({ mode: 'on', allow: ['a.org'], write: ['/x'] });
    expect(await facts('ls')).toEqual({
      sandboxed: true,
      preview: 'ls\n[in the sandbox: writes only in the session directory and /x; network only to a.org]',
    });
  });

  test('on without a sandbox: that it is not in one, why, and what to do', async () => {
    await start({ mode: 'on' });
    vi.spyOn(bench.context.sandbox, 'state').mockResolvedValue(missing);
    expect(await facts('ls')).toEqual({
      sandboxed: false,
      preview: 'ls\n[NOT in the sandbox, which is switched on. There is no bubblewrap. Install it.]',
    });
  });

  test('required without a sandbox: refused before anybody is asked', async () => {
    await start({ mode: 'required' });
    vi.spyOn(bench.context.sandbox, 'state').mockResolvedValue(missing);
    expect(await facts('ls')).toBe(
      'Bash: a sandbox is required here and there is none. There is no bubblewrap. Install it. Tell the person; nothing runs in a shell until then',
    );
  });
});

describe.skipIf(skipReason !== null)('Bash in the sandbox', () => {
  test('what was decided as shut in runs shut in, although the sandbox was switched off meanwhile', async () => {
    await start({ mode: 'on' });
    const { facts: found } = await bench.prepare('Bash', {
      command: 'echo "$KAIROS_SANDBOX"; echo x > /etc/kairos-made',
    });
    vi.spyOn(bench.context.sandbox, 'config').mockResolvedValue(noSandbox);
    const result = found && (await bench.run(found));
    expect([result?.outcome, result?.output.split('\n')[0], existsSync('/etc/kairos-made')]).toEqual([
      'error',
      '1',
      false,
    ]);
    expect(result?.output).toContain('[exit code 1; it ran in the sandbox]');
  });

  test('what was decided as shut in does not run when there is no sandbox any more', async () => {
    await start({ mode: 'on' });
    const { facts: found } = await bench.prepare('Bash', { command: 'echo x > made' });
    vi.spyOn(bench.context.sandbox, 'state').mockResolvedValue(missing);
    expect([found && (await bench.run(found)), existsSync(join(bench.dir, 'made'))]).toEqual([
      { outcome: 'error', output: 'Bash: did not run. There is no bubblewrap. Install it.' },
      false,
    ]);
  });

  test('what was refused is told in the result', async () => {
    await start({ mode: 'on', allow: ['only.example'] });
    expect(await bench.call('Bash', { command: 'curl -s http://no.example; echo {} > .mcp.json' })).toEqual({
      outcome: 'ok',
      output: expect.stringMatching(
        /The sandbox of Kairos: no\.example:80 is not in sandbox\.network\.allow\.\n\[.*\.mcp\.json cannot be made in the sandbox, it is now .*\]\n\[the sandbox refused: no\.example:80 is not in sandbox\.network\.allow\]$/,
      ),
    });
  });

  test('a background task runs shut in, and TaskStop ends it', async () => {
    await start({ mode: 'on' });
    const command = 'echo "in $KAIROS_SANDBOX"; echo x > /etc/kairos-made; setsid sleep 77.25 & sleep 77.25';
    const begun = await bench.call('Bash', { command, run_in_background: true });
    const [task] = bench.tasks.running;
    await waitFor(() => readFileSync(task?.output ?? '', 'utf8').includes('Read-only file system'), {
      what: 'its output',
    });
    await bench.call('TaskStop', { task_id: task?.id });
    expect([
      begun.outcome,
      readFileSync(task?.output ?? '', 'utf8').split('\n')[0],
      bench.tasks.running,
    ]).toEqual(['ok', 'in 1', []]);
  });
});
