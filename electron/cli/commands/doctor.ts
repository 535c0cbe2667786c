import { assertNever } from '../../../shared/base/assert-never.ts';
import { oneLine } from '../../../shared/base/visible-text.ts';
import type { RunCommand } from '../arguments/command-spec.ts';
import { type DoctorCheck, type DoctorReport, doctorReportSchema } from '../../../shared/protocol/bridge.ts';
import { get } from '../bridge/client.ts';
import type { CliContext } from '../context.ts';
import { exit } from '../exit.ts';
import { CommandFailure } from '../failure.ts';
import { foreignLine } from '../output/foreign-text.ts';
import { type Paint, painter } from '../output/paint.ts';
import { hint } from '../output/own-name.ts';
import { printJson, printText } from '../output/print.ts';
import { wrapLine } from '../output/wrap.ts';
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

function line(check: DoctorCheck, paint: Paint, context: CliContext): string {
  const detail = `${foreignLine(check.name)}: ${oneLine(check.detail, 400)}`;
  const lines = [detail, ...(check.next === '' ? [] : [hint(context.program, oneLine(check.next, 400))])];
  const text = lines.map((each) => wrapLine(`     ${each}`, context.stdout.columns, 5)).join('\n');
  return `${mark(check, paint)} ${text.slice(5)}`;
}

function mark({ state }: DoctorCheck, paint: Paint): string {
  switch (state) {
    case 'ok':
      return paint('good', 'ok  ');
    case 'warn':
      return paint('asking', 'look');
    case 'fail':
      return paint('bad', 'FAIL');
    default:
      return assertNever(state, 'state of a check');
  }
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The last line: what failed, what should be looked at, or that there is neither. */
function summary(report: DoctorReport): string {
  const count = (state: DoctorCheck['state']): number =>
    report.checks.filter((check) => check.state === state).length;
  const [failed, warned] = [count('fail'), count('warn')];
  if (failed === 0 && warned === 0) return 'No problems.';
  const looks = `${counted(warned, 'thing', 'things')} to look at`;
  if (failed === 0) return `Nothing failed; ${looks}.`;
  return `${counted(failed, 'problem', 'problems')}${warned === 0 ? '' : `; ${looks}`}.`;
}

/** `kairos doctor`: works without a daemon too; exit 1 when any check fails. */
export const run: RunCommand = async (context, args) => {
  const report = await examine(context);
  const failed = report.checks.filter(({ state }) => state === 'fail').length;
  if (args.flag('json')) await printJson(context, report);
  else {
    const paint = painter(context.stdout, context.env);
    const lines = [
      `Kairos ${foreignLine(report.version)}`,
      ...report.checks.map((check) => line(check, paint, context)),
      summary(report),
    ];
    await printText(context, lines.join('\n'));
  }
  return failed === 0 ? exit.done : exit.failed;
};
