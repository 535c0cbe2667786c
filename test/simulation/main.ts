import { makePlan } from '../support/sim/make-plan.ts';
import { runSchedule } from '../support/sim/run-schedule.ts';
const seed = Number(process.argv[2] ?? 1); const n = Number(process.argv[3] ?? 1);
const trace = n === 1 ? (line: string) => process.stdout.write(line + '\n') : null;
const started = performance.now();
for (let s = seed; s < seed + n; s++) { const o = await runSchedule(makePlan(s), { trace }); if (o.violations.length) console.log(s, o.steps, o.events, o.violations.slice(0, 4)); else if (n === 1) console.log('ok', o); }
console.log(n / (performance.now() - started) * 1000, 'per s');
