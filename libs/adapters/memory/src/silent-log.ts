import type { Log } from '@tender/eventing';

/** For tests in which failures are meant. */
export const silentLog: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
