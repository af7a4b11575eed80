import { pino, type DestinationStream, type Level } from 'pino';
import type { Log } from '@tender/eventing';
import { describeError } from './describe-error';
import { repeatedFaults, SUMMARY_MS } from './repeated-faults';

export interface JsonLogOptions {
  readonly level?: Level | 'silent';
  /** Fields that are never written, as pino paths: `customer.email`, `*.email`. */
  readonly redact?: readonly string[];
  /** Standard output by default. */
  readonly destination?: DestinationStream;
}

const HIDDEN = '[redacted]';

/** Everything that grants access: keys of merchants and of the operator, webhook secrets, tokens, passwords in URLs. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\b(svc_(?:test|live|admin)_)[\w-]+/g, `$1${HIDDEN}`],
  [/\b(whsec_)[\w+/=-]+/g, `$1${HIDDEN}`],
  [/\b(Bearer)(?:\s|\\t)+[^\s"\\,;]+/gi, `$1 ${HIDDEN}`],
  [/(:\/\/[^\s"@/:]*:)[^\s"@/]+@/g, `$1${HIDDEN}@`],
];

/** The text with everything that looks like a secret taken out. */
export const withoutSecrets = (text: string): string =>
  SECRETS.reduce((safe, [pattern, replacement]) => safe.replace(pattern, replacement), text);

/**
 * One JSON object per line. Secrets are looked for in the finished line, so that neither a nested
 * field, nor an error's stack, nor the message can carry one past. A fault that goes on is one line a minute, unless
 * the level is `debug`.
 */
export function jsonLog({ level = 'info', redact = [], destination }: JsonLogOptions = {}): Log {
  const out = destination ?? process.stdout;
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError, error: describeError },
      redact: { paths: [...redact], censor: HIDDEN },
    },
    { write: (line: string) => void out.write(withoutSecrets(line)) },
  );
  const plain: Log = {
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
  };
  if (level === 'debug') return plain;
  const fault = repeatedFaults({
    write: (severity, fields, message) => plain[severity](fields, message),
    now: () => performance.now(),
    everyMinute(work) {
      const timer = setInterval(work, SUMMARY_MS).unref();
      return () => clearInterval(timer);
    },
  });
  return {
    info(fields, message) {
      if ('err' in fields || 'error' in fields) fault('info', fields, message);
      else plain.info(fields, message);
    },
    warn: (fields, message) => fault('warn', fields, message),
    error: (fields, message) => fault('error', fields, message),
  };
}
