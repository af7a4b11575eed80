import type { LocalChain, Runtime, StoredEvent } from '@tender/eventing';
import { CLOCK_STREAM, clockDecider, type ClockMoved } from './clock';

/** Business time goes on where it was before the restart, on this process's clock and on the chains'. */
export async function restoreClock(
  { eventStore }: Pick<Runtime, 'eventStore'>,
  clock: { setOffset(offset_ms: number): void },
  chain: Pick<LocalChain, 'setOffset'> | null,
): Promise<void> {
  const moves = (await eventStore.load(CLOCK_STREAM)) as readonly StoredEvent<ClockMoved>[];
  const { offset_ms } = moves.reduce(
    (state, event) => clockDecider.evolve(state, event as ClockMoved),
    clockDecider.initial,
  );
  if (offset_ms === 0) return;
  clock.setOffset(offset_ms);
  await chain?.setOffset(offset_ms);
}
