import type { World } from '../world.ts';
import { checkCalls } from './call-checks.ts';
import { checkContexts } from './context-checks.ts';
import { checkDeliveries } from './delivery-checks.ts';
import { type Facts, gatherFacts, type Violation } from './facts.ts';
import { checkLogs } from './log-checks.ts';
import { checkMoney } from './money-checks.ts';
import { checkMessages, checkRepetition, checkRoutes } from './message-checks.ts';
import { checkPauses } from './pause-checks.ts';
import { checkPrompts } from './prompt-checks.ts';
import { checkTasks } from './task-checks.ts';

/** Everything that may never happen and did. */
export async function judge(world: World): Promise<Violation[]> {
  const { daemon } = world;
  if (!daemon) return ['no daemon at the end', ...world.ledgers.alarms];
  const facts = await gatherFacts(world, daemon.store);
  return [
    ...world.ledgers.alarms,
    ...checkLogs(facts),
    ...checkMessages(facts),
    ...checkRoutes(facts),
    ...checkRepetition(facts),
    ...checkCalls(facts),
    ...checkDeliveries(facts),
    ...checkPrompts(facts),
    ...checkContexts(facts),
    ...checkPauses(facts),
    ...checkTasks(facts),
    ...checkMoney(facts),
    ...checkParked(facts),
    ...checkInterrupts(facts),
  ];
}

/** A session is parked by three crashes at one place or by a model that is down, by nothing else. */
function checkParked(facts: Facts): Violation[] {
  const { crashes, hangs, modelFailures } = facts.ledgers;
  return facts.of('session.parked').flatMap((event) => {
    const { code, reason } = event.body;
    if (code === 'budget')
      return facts.limited ? [] : [`${event.session} was parked without a limit: ${reason}`];
    const fair =
      code === 'crash_loop'
        ? crashes.worker + hangs >= 3
        : modelFailures > 0 && reason.includes('model is down');
    return fair ? [] : [`${event.session} was parked: ${code}: ${reason}`];
  });
}

/** Each time a person was told that work was stopped, a turn was, or background tasks of a session that was between turns. */
function checkInterrupts({ ledgers, logs }: Facts): Violation[] {
  return logs.flatMap(({ row, events }) => {
    const stopped = events.filter(
      (event) =>
        event.type === 'task.ended' || (event.type === 'turn.ended' && event.body.outcome === 'interrupted'),
    );
    const told = ledgers.interrupts.get(row.id) ?? 0;
    return stopped.length >= told
      ? []
      : [`${row.id}: ${told} interrupts were confirmed, ${stopped.length} turns or tasks stopped`];
  });
}
