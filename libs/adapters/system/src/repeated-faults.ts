/** Of a fault that goes on, one line in so many milliseconds. */
export const SUMMARY_MS = 60_000;
/** More kinds of faults at once than there are followers and consumers; beyond, each is written. */
const KINDS_MAX = 2_000;
/** Texts that say why it happened this time, not what happened. */
const WHY = new Set(['error', 'reason', 'trouble']);

export type FaultLevel = 'info' | 'warn' | 'error';
export type WriteFault = (level: FaultLevel, fields: object, message: string) => void;

interface Going {
  readonly level: FaultLevel;
  readonly what: object;
  readonly message: string;
  readonly since: number;
  /** Of the last time. */
  fields: object;
  last: number;
  /** Since it was last written. */
  again: number;
  times: number;
}

export interface RepeatedFaultsOptions {
  readonly write: WriteFault;
  /** Milliseconds that only go forward. */
  readonly now: () => number;
  /** Calls `work` after each minute; the answer ends that. */
  readonly everyMinute: (work: () => void) => () => void;
}

/**
 * Writes a fault whole when it first happens, then once a minute the last one of those that have come since, with
 * their number in `again`, and once that it is over: when a minute has passed without it. The same fault is the same
 * message about the same thing, which the texts among the fields name; numbers and the error may differ.
 */
export function repeatedFaults({ write, now, everyMinute }: RepeatedFaultsOptions): WriteFault {
  const going = new Map<string, Going>();
  let end: (() => void) | null = null;

  return (level, fields, message) => {
    const what = whatOf(level, fields);
    const kind = JSON.stringify([level, message, what]);
    const before = going.get(kind);
    if (before) {
      before.again += 1;
      before.times += 1;
      before.last = now();
      before.fields = fields;
      return;
    }
    write(level, fields, message);
    if (going.size === KINDS_MAX) return;
    const since = now();
    going.set(kind, { level, what, message, fields, since, last: since, again: 0, times: 1 });
    end ??= everyMinute(sum);
  };

  function sum(): void {
    for (const [kind, one] of going) {
      if (one.again > 0) goesOn(one);
      else if (now() - one.last >= SUMMARY_MS) isOver(kind, one);
    }
    if (going.size > 0) return;
    end?.();
    end = null;
  }

  function goesOn(one: Going): void {
    const { level, fields, message, again } = one;
    write(level, { ...fields, again }, `${message} (it goes on)`);
    one.again = 0;
  }

  function isOver(kind: string, { level, what, message, since, last, times }: Going): void {
    going.delete(kind);
    if (times === 1) return;
    const lasted_s = Math.round((last - since) / 1_000);
    write(level, { ...what, times, lasted_s }, `${message} (that is over)`);
  }
}

/** Of which request it was counts for what is ours to mend: such a line is found by the correlation id. */
function whatOf(level: FaultLevel, fields: object): object {
  const is_what = ([name, value]: [string, unknown]): boolean =>
    typeof value === 'string' && !WHY.has(name) && (level === 'error' || name !== 'correlation_id');
  return Object.fromEntries(Object.entries(fields).filter(is_what));
}
