import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MINTS } from './genesis';
import { Ledger } from './ledger';

const SLOT_MS = 400;
const DAY_MS = 86_400_000;

describe('time of a ledger', () => {
  let folder: string;
  let nowMs: number;
  let ledger: Ledger;
  const open = (where: string, restSlotMs = SLOT_MS) => {
    const settings = {
      slotMs: SLOT_MS,
      restSlotMs,
      finalitySlots: 32,
      blockhashBlocks: 150,
      timeOffsetMs: 0,
      snapshotSlots: 1_000,
      wall: () => nowMs,
    };
    return Ledger.open(where, settings, MINTS.test);
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ledger-'));
    nowMs = 1_800_000_000_000;
    ledger = open(join(folder, 'a'));
  });
  afterEach(async () => {
    await ledger.close();
    rmSync(folder, { recursive: true });
  });

  /** The folder as kill -9 leaves it, opened by the next process. */
  function afterKill(): Ledger {
    cpSync(join(folder, 'a'), join(folder, 'killed'), { recursive: true });
    return open(join(folder, 'killed'));
  }

  it('10,000 idle slots cost nothing: no file grows, nothing is remembered', () => {
    const size = () => statSync(join(folder, 'a', 'ledger.log')).size;
    const before = size();
    const first = ledger.touch();
    for (let slot = 0; slot < 10_000; slot += 100) {
      nowMs += 100 * SLOT_MS;
      ledger.touch();
    }
    expect(ledger.timeline.blocksBetween(first + 1, Infinity)).toHaveLength(10_000);
    expect(size()).toBe(before);
  });

  describe('whose slots last longer at rest', () => {
    const REST_SLOT_MS = 2_000;
    /** Finality, and some slots more. */
    const BUSY_MS = 40 * SLOT_MS;
    let resting: Ledger;

    beforeEach(() => {
      resting = open(join(folder, 'resting'), REST_SLOT_MS);
      pass(BUSY_MS);
    });
    afterEach(() => resting.close());

    /** As it passes for those who look at the chain often. */
    function pass(ms: number): void {
      for (const end_ms = nowMs + ms; nowMs < end_ms; nowMs += SLOT_MS / 4) {
        const was = levels();
        resting.touch();
        expect(levels().map((slot, at) => slot >= (was[at] ?? 0))).toEqual([true, true, true]);
      }
    }
    const levels = () => (['processed', 'confirmed', 'finalized'] as const).map((one) => resting.newestSlot(one));
    const slotsIn = (ms: number) => {
      const before = resting.touch();
      pass(ms);
      return resting.touch() - before;
    };

    it('an idle chain has a fifth of the slots', () => {
      expect(slotsIn(20_000)).toBe(10);
    });

    it('what it shows as final is no older than on a busy chain', () => {
      pass(20_000);
      expect(nowMs - resting.timeline.startMsOf(resting.newestSlot('finalized'))).toBeLessThan(
        32 * SLOT_MS + REST_SLOT_MS,
      );
    });

    it('a new slot begins at once when something happens, and slots come at their pace until it is final', () => {
      pass(5_000);
      const before = resting.touch();
      resting.wake();
      expect(resting.touch()).toBe(before + 1);
      expect(slotsIn(32 * SLOT_MS)).toBe(32);
      pass(4 * SLOT_MS);
      expect(slotsIn(20_000)).toBe(10);
    });

    it('a blockhash lives as many blocks in as much time as on a busy chain', () => {
      pass(5_000);
      resting.wake(150);
      const hash = resting.hashes.of(resting.newestSlot('confirmed'));
      pass(145 * SLOT_MS);
      expect(resting.slotOfUsableHash(hash)).not.toBeNull();
      pass(8 * SLOT_MS);
      expect(resting.slotOfUsableHash(hash)).toBeNull();
    });

    it('its blocks are the same after a kill', async () => {
      pass(5_000);
      resting.wake();
      pass(5_000);
      const slots = resting.timeline.blocksBetween(0, resting.touch());
      const times = slots.map((slot) => resting.timeline.startMsOf(slot));
      cpSync(join(folder, 'resting'), join(folder, 'killed'), { recursive: true });
      const again = open(join(folder, 'killed'), REST_SLOT_MS);
      expect(slots.map((slot) => again.timeline.startMsOf(slot))).toEqual(times);
      await again.close();
    });
  });

  it('a day without a question is skipped, not filled', () => {
    const first = ledger.touch();
    const last = { slot: first, hash: ledger.hashes.of(first) };
    nowMs += DAY_MS;
    const finalized = ledger.newestSlot('finalized');
    expect(nowMs / 1000 - ledger.blockTime(finalized)).toBeLessThanOrEqual(14);
    expect(ledger.timeline.blocksBetween(first, Infinity).length).toBeLessThan(50);
    expect(ledger.touch() - first).toBeLessThan(1_100);
    expect(ledger.hashes.of(last.slot)).toBe(last.hash);
    expect(ledger.slotOfUsableHash(last.hash)).toBeNull();
  });

  it('keeps every block that was shown before a kill, and skips the time it was dead', async () => {
    for (let second = 0; second < 100; second += 1) {
      nowMs += 1_000;
      ledger.touch();
    }
    const shown = ledger.timeline.blocksBetween(0, Infinity);
    const describeBlock = (chain: Ledger) => (slot: number) =>
      [slot, chain.hashes.of(slot), chain.blockTime(slot), chain.timeline.parentOf(slot)];
    const before = shown.map(describeBlock(ledger));
    nowMs += DAY_MS;
    const again = afterKill();
    const blocks = (again.touch(), again.timeline.blocksBetween(0, Infinity));
    expect(blocks.slice(0, shown.length).map(describeBlock(again))).toEqual(before);
    expect(blocks.length - shown.length).toBeLessThan(100);
    expect(again.blockTime(again.touch())).toBe(nowMs / 1000);
    await again.close();
  });

  it.each([
    ['processed', 0],
    ['confirmed', 1],
    ['finalized', 32],
  ] as const)('shows %s blocks, %i slots behind, as time goes on', (commitment, depth) => {
    nowMs += 20_000;
    ledger.touch();
    for (let second = 0; second < 60; second += 1) {
      nowMs += 1_000;
      const behindMs = nowMs - ledger.blockTime(ledger.newestSlot(commitment)) * 1_000;
      expect(behindMs).toBeGreaterThanOrEqual(depth * SLOT_MS);
      // One slot for the block that is being filled, one second for rounding.
      expect(behindMs).toBeLessThan((depth + 1) * SLOT_MS + 1_000);
    }
  });

  it('block times never fall, whatever the machine does to its clock', async () => {
    nowMs += 10_000;
    const before = ledger.blockTime(ledger.touch());
    nowMs -= 3_600_000;
    expect(ledger.blockTime(ledger.touch())).toBe(before);
    nowMs += 6_000;
    expect(ledger.blockTime(ledger.touch())).toBe(before + 6);
    const again = afterKill();
    nowMs += 2_000;
    expect(again.blockTime(again.touch())).toBeGreaterThanOrEqual(before);
    await again.close();
  });

  it('its offset only moves time forwards, and outlives a kill', async () => {
    expect(ledger.moveTime(7_200_000)).toBe(true);
    expect(ledger.blockTime(ledger.touch())).toBe((nowMs + 7_200_000) / 1000);
    expect(ledger.moveTime(3_600_000)).toBe(false);
    expect(ledger.now()).toBe(nowMs + 7_200_000);
    const again = afterKill();
    expect(again.now()).toBe(nowMs + 7_200_000);
    await again.close();
  });
});
