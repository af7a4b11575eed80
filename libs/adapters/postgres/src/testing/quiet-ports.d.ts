import type { Log } from '@tender/eventing';
import type { Clock } from '@tender/kernel';
/** For tests in which failures are meant. */
export declare const silentLog: Log;
/** The machine's time, for both times. */
export declare const systemClock: Clock;
