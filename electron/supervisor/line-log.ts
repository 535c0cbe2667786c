import { join } from 'node:path';
import type { Clock, Log } from '../../shared/base/ports.ts';
import { openLogFile } from '../node/log-file.ts';
import { maskSecrets } from '../node/mask-secrets.ts';

/** pino's numbers, so that every log of Kairos reads alike; pino itself would cost the supervisor memory (README). */
const levels = { debug: 20, info: 30, warn: 40, error: 50 } as const;

/** The supervisor's log: JSON lines in `<logsDir>/supervisor.log`, rotated, credentials masked; debug is left out. */
export function createLineLog(logsDir: string, clock: Pick<Clock, 'now'>): Log {
  const file = openLogFile(join(logsDir, 'supervisor.log'));
  const write = (level: keyof typeof levels, fields: Record<string, unknown>, msg: string): void => {
    const line = JSON.stringify({
      level: levels[level],
      time: clock.now(),
      pid: process.pid,
      ...fields,
      msg,
    });
    file.write(`${maskSecrets(line)}\n`);
  };
  return {
    debug: () => undefined,
    info: (fields, message) => write('info', fields, message),
    warn: (fields, message) => write('warn', fields, message),
    error: (fields, message) => write('error', fields, message),
  };
}
