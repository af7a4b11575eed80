import { accept, type Decider } from '@tender/kernel';
import { streamName } from '@tender/eventing';

/** Business time minus wall time, in milliseconds, from the newest `ClockMoved`. */
export type ClockOffset = { readonly offset_ms: number };
export type ClockMoved = { readonly type: 'ClockMoved'; readonly data: ClockOffset };

export const CLOCK_STREAM = streamName('clock', 'all', 'offset');

/** The clock only goes forward: an older move changes nothing. */
export const clockDecider: Decider<ClockOffset, ClockOffset, ClockMoved, never> = {
  initial: { offset_ms: 0 },
  decide: ({ offset_ms }, state) =>
    offset_ms > state.offset_ms ? accept({ type: 'ClockMoved', data: { offset_ms } }) : accept(),
  evolve: (_, event) => event.data,
};
