import type { Log, Telemetry } from '@tender/eventing';
import type { Mode } from '@tender/kernel';

/** How many of each a pass along the chain has seen. */
export interface Pass {
  /** Ticks. */
  readonly began: number;
  readonly slots: number;
  readonly paid: number;
  readonly unmatched: number;
  readonly closed: number;
}

/** Passes find money of many requests, or none: each is a trace of its own, if it has changed something. */
export function tellPass(telemetry: Telemetry, mode: Mode, pass: Pass): void {
  const { began, slots, paid, unmatched, closed } = pass;
  telemetry.count('tender_chain_credits_total', { mode, outcome: 'paid' }, paid);
  telemetry.count('tender_chain_credits_total', { mode, outcome: 'unmatched' }, unmatched);
  if (paid + unmatched + closed === 0) return;
  telemetry.span({
    name: 'chain pass',
    kind: 'internal',
    correlation_id: null,
    began,
    failed: false,
    attributes: {
      ...{ 'tender.mode': mode, 'tender.slots': slots, 'tender.paid': paid },
      ...{ 'tender.unmatched': unmatched, 'tender.closed': closed },
    },
  });
}

/** `left`: the slot at which this process left the cursor, null if it never had it; `found`: where it is. */
export function tellSetBack(
  log: Log,
  mode: Mode,
  left: number | null,
  found: number | null,
): void {
  if (left === null || (found !== null && found >= left)) return;
  log.warn(
    { mode, left, found },
    'the database was set back: the chain is read again from the cursor that is found',
  );
}
