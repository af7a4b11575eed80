import type { Ledger } from '../ledger/ledger';
import type { MethodTable } from './chain-node';
import { controlFields } from './control-fields';
import { integerOf } from './params';
import { invalidParams } from './rpc-error';

const WARP_SLOTS_MAX = 1_000_000;
/** The end of the year 9999: a later time has no milliseconds left that a number could count. */
const LATEST_MS = 253_402_300_799_000;

const clockOf = (ledger: Ledger) => ({ offset_ms: ledger.offsetMs, now_ms: ledger.now() });

const slotsOf = (ledger: Ledger) => ({
  processed: ledger.newestSlot('processed'),
  confirmed: ledger.newestSlot('confirmed'),
  finalized: ledger.newestSlot('finalized'),
});

function checkTime(ms: number): void {
  if (ms > LATEST_MS) throw invalidParams('Invalid params: no time is after the year 9999');
}

/** Makes blocks until the newest confirmed and the newest finalized one have this time. */
function advance(ledger: Ledger, toUnixSeconds: number): void {
  checkTime(toUnixSeconds * 1000);
  const missingMs = toUnixSeconds * 1000 - ledger.now();
  if (missingMs > 0) ledger.moveTime(ledger.offsetMs + missingMs);
  ledger.touch();
  const { timeline, settings } = ledger;
  if (timeline.firstBlockSince(toUnixSeconds) === null) {
    ledger.change(timeline.planBlocks(1, ledger.now()));
  }
  const first = timeline.firstBlockSince(toUnixSeconds) ?? timeline.tip;
  const tip = first + settings.finalitySlots + ledger.lagSlots;
  if (timeline.tip < tip) ledger.change(timeline.planSlot(tip, ledger.now()));
}

function warpSlots(ledger: Ledger, slots: number): void {
  if (slots < 1 || slots > WARP_SLOTS_MAX) {
    throw invalidParams(`Invalid params: slots is 1 to ${WARP_SLOTS_MAX}`);
  }
  ledger.touch();
  ledger.change(ledger.timeline.planBlocks(slots, ledger.now()));
}

function skipSlots(ledger: Ledger, count: number): number[] {
  ledger.touch();
  const first = ledger.timeline.nextSlot;
  if (count < 1 || count > WARP_SLOTS_MAX) {
    throw invalidParams(`Invalid params: count is 1 to ${WARP_SLOTS_MAX}`);
  }
  ledger.change(ledger.timeline.planSkip(count));
  return Array.from({ length: count }, (_, index) => first + index);
}

function rollback(ledger: Ledger, slots: number): { to_slot: number; dropped: string[] } {
  const { finalitySlots } = ledger.settings;
  if (slots < 1 || slots >= finalitySlots) {
    throw invalidParams(`Invalid params: slots is 1 to ${finalitySlots - 1}; later is final`);
  }
  const toSlot = Math.max(ledger.timeline.firstSlot, ledger.touch() - slots);
  return { to_slot: toSlot, dropped: ledger.rollback(toSlot) };
}

/** Time, slots and forks. */
export const timeMethods: MethodTable = {
  localnet_setTimeOffset: async ({ ledger }, params) => {
    const { offset_ms: offset } = controlFields(params, ['offset_ms']);
    if (typeof offset !== 'number' || !Number.isSafeInteger(offset)) {
      throw invalidParams('Invalid params: offset_ms is an integer');
    }
    checkTime(ledger.now() + offset - ledger.offsetMs);
    const moved = ledger.moveTime(offset);
    await ledger.durable();
    return { moved, ...clockOf(ledger) };
  },
  localnet_advance: async ({ ledger }, params) => {
    const { to_unix_seconds: seconds } = controlFields(params, ['to_unix_seconds']);
    advance(ledger, integerOf(seconds, 'to_unix_seconds'));
    await ledger.durable();
    return { ...clockOf(ledger), slots: slotsOf(ledger) };
  },
  localnet_warpSlots: async ({ ledger }, params) => {
    warpSlots(ledger, integerOf(controlFields(params, ['slots'])['slots'], 'slots'));
    await ledger.durable();
    return slotsOf(ledger);
  },
  localnet_skipSlot: async ({ ledger }, params) => {
    const { count = 1 } = controlFields(params, ['count']);
    const skipped = skipSlots(ledger, integerOf(count, 'count'));
    await ledger.durable();
    return { skipped };
  },
  localnet_rollback: async ({ ledger }, params) => {
    const { slots } = controlFields(params, ['slots']);
    const answer = rollback(ledger, integerOf(slots, 'slots'));
    await ledger.durable();
    return answer;
  },
};
