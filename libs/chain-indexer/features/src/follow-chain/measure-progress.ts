import type { Runtime } from '@tender/eventing';
import type { NetworkMemory } from '../network-memory/network-memory';
import type { FollowChain } from './follow-chain';
import type { Pace } from './pace.worker';

/**
 * Tells each scrape how far the chain was seen, in the process that follows it. Answers the functions that end it.
 */
export function measureProgress(
  { clock, telemetry }: Pick<Runtime, 'clock' | 'telemetry'>,
  { mode, state, book }: NetworkMemory,
  follow: FollowChain,
  pace: Pace,
): readonly (() => void)[] {
  const whileLeading = (value: () => number | null) => () => {
    const known = follow.leads ? value() : null;
    return known === null ? [] : [{ value: Math.max(0, known), labels: { mode } }];
  };
  return [
    telemetry.watch('tender_lease_held', () => [
      { value: follow.leads ? 1 : 0, labels: { lease: `chain-indexer.${mode}` } },
    ]),
    telemetry.watch(
      'tender_chain_lag_seconds',
      // Block times are business time: a test clock moves the local chains along.
      whileLeading(() =>
        state.watermark_ms === null ? null : (clock.now() - state.watermark_ms) / 1000,
      ),
    ),
    telemetry.watch(
      'tender_chain_behind_slots',
      whileLeading(() => pace.newest - follow.slot),
    ),
    telemetry.watch(
      'tender_chain_watches',
      whileLeading(() => book.pending),
    ),
  ];
}
