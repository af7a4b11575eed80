import { accept, type Decider } from '@tender/kernel';
import type { ClockMoved, ClockOffset } from '@tender/eventing';

/** The clock only goes forward: an older move changes nothing. */
export const clockDecider: Decider<ClockOffset, ClockOffset, ClockMoved, never> = {
  initial: { offset_ms: 0 },
  decide: ({ offset_ms }, state) =>
    offset_ms > state.offset_ms ? accept({ type: 'ClockMoved', data: { offset_ms } }) : accept(),
  evolve: (_, event) => event.data,
};
