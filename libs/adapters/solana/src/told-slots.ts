import { EndpointFailure } from './rpc-endpoint';

/** Slots behind the best node at which another one is asked first. */
export const LAG_SLOTS_MAX = 50;

const isSlot = (answer: unknown): answer is number =>
  Number.isSafeInteger(answer) && (answer as number) >= 0;

/** What a node says to be a slot. */
export function slotOf(answer: unknown): number {
  if (isSlot(answer)) return answer;
  throw new EndpointFailure('what should be a slot is none');
}

/** `told_slot`: what the node last said to be its newest slot; 0 where it was not asked. */
interface AskedSlots {
  readonly after: number;
  readonly limit: number;
  readonly told_slot: number;
}

/**
 * What a node says to be the next slots that hold blocks, at most `limit`. The cursor follows them, so a list that
 * leads back or nowhere is the node's fault, and so is an empty one of a node that says it is far ahead.
 */
export function slotsOf(
  answer: unknown,
  { after, limit, told_slot }: AskedSlots,
): readonly number[] {
  const slots = Array.isArray(answer) ? (answer as unknown[]) : [Number.NaN];
  let last = after;
  for (const slot of slots) {
    if (!isSlot(slot) || slot <= last) throw new EndpointFailure('its list of slots does not rise');
    last = slot;
  }
  if (slots.length > limit) throw new EndpointFailure('its list of slots is longer than was asked for');
  if (slots.length === 0 && told_slot > after + LAG_SLOTS_MAX) {
    throw new EndpointFailure(`it lists nothing after ${after}, and says that it has ${told_slot}`);
  }
  return slots as number[];
}
