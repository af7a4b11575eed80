import type { Telemetry } from '@tender/eventing';
import type { Mode } from '@tender/kernel';

/** What a pass along the chain has seen, how many of each. */
export interface PassFigures {
  /** Ticks. */
  readonly began: number;
  readonly slots: number;
  readonly paid: number;
  readonly unmatched: number;
  readonly closed: number;
}

/** A pass finds money of many requests, or of none: it is a trace of its own, if it has changed something. */
export function measurePass(telemetry: Telemetry, mode: Mode, pass: PassFigures): void {
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
