import { oneLine } from '../../../shared/base/visible-text.ts';
import type { RunCommand } from '../arguments/command-spec.ts';
import { type DoctorCheck, type DoctorReport, doctorReportSchema } from '../../../shared/protocol/bridge.ts';
import { get } from '../bridge/client.ts';
import type { CliContext } from '../context.ts';
import { exit } from '../exit.ts';
import { CommandFailure } from '../failure.ts';
import { foreignLine } from '../output/foreign-text.ts';
import { type Paint, painter } from '../output/paint.ts';
import { printJson, printText } from '../output/print.ts';
import { localChecks } from '../process/local-checks.ts';

async function examine(context: CliContext): Promise<DoctorReport> {
  try {
    return await get(context, '/doctor', doctorReportSchema);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const daemon = { name: 'daemon', state: 'fail', detail: error.message, next: error.next ?? '' } as const;
    return { version: context.version(), checks: [daemon, ...(await localChecks(context))] };
  }
}

function line(check: DoctorCheck, paint: Paint): string {
  const detail = `${foreignLine(check.name)}: ${oneLine(check.detail, 400)}`;
  if (check.state === 'ok') return `${paint('good', 'ok  ')} ${detail}`;
  const mark = check.state === 'warn' ? paint('asking', 'look') : paint('bad', 'FAIL');
  const next = check.next === '' ? '' : `\n     ${oneLine(check.next, 400)}`;
  return `${mark} ${detail}${next}`;
}

/** `kairos doctor`: works without a daemon too; exit 1 when any check fails. */
export const run: RunCommand = async (context, args) => {
  const report = await examine(context);
  const failed = report.checks.filter(({ state }) => state === 'fail').length;
  if (args.flag('json')) await printJson(context, report);
  else {
    const paint = painter(context.stdout, context.env);
    const summary = failed === 0 ? 'No problems.' : `${failed} ${failed === 1 ? 'problem' : 'problems'}.`;
    const lines = [
      `Kairos ${foreignLine(report.version)}`,
      ...report.checks.map((check) => line(check, paint)),
      summary,
    ];
    await printText(context, lines.join('\n'));
  }
  return failed === 0 ? exit.done : exit.failed;
};
