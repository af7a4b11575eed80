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
  const open = (where: string) => {
    const settings = {
      slotMs: SLOT_MS,
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
