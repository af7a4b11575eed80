import { isoTime } from '@tender/kernel';
import type { SignerLog } from '@tender/signer-features';

/** The words of the other programs; a signer has nothing to say at `debug` beyond `info`. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One JSON object a line, on stdout. Callers give names, ids and codes, and never what a message holds. */
export function jsonLog(role: string, least: LogLevel): SignerLog {
  const at = (level: LogLevel) => (fields: object, what: string) => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least)) return;
    const line = { time: isoTime(Date.now()), level, signer: role, msg: what, ...fields };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}
