import { accept, type Decider, type Decision } from '@tender/kernel';
import type { ClockMoved, ClockOffset } from '@tender/eventing';

/** Business time minus wall time is to be this, in milliseconds. */
export interface MoveClock extends ClockOffset {
  readonly type: 'MoveClock';
}

/** The clock only goes forward: an older move changes nothing. */
const moveClock = ({ offset_ms }: MoveClock, state: ClockOffset): Decision<ClockMoved, never> =>
  offset_ms > state.offset_ms ? accept({ type: 'ClockMoved', data: { offset_ms } }) : accept();

export const clockDecider = {
  initial: { offset_ms: 0 },
  evolve: (_: ClockOffset, event: ClockMoved): ClockOffset => event.data,
  decide: { MoveClock: moveClock },
} satisfies Decider<ClockOffset, ClockMoved>;
