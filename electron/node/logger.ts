import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { openLogFile } from './log-file.ts';
import { type SecretMask, createSecretMask } from './mask-secrets.ts';

/** Levels that the settings may name; `silent` writes nothing. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** `process` names the file (`<logsDir>/<process>.log`); `mask` knows this process's secrets. */
export interface LoggerOptions {
  readonly logsDir: string;
  readonly process: string;
  readonly level?: LogLevel;
  readonly mask?: SecretMask;
}

/** A logger that writes JSON lines to a rotated file, with every credential masked; satisfies the Log port. */
export function createLogger(options: LoggerOptions): Logger {
  const { mask = createSecretMask() } = options;
  const file = openLogFile(join(options.logsDir, `${options.process}.log`));
  return pino(
    {
      level: options.level ?? 'info',
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    { write: (line: string) => file.write(mask.mask(line)) },
  );
}
