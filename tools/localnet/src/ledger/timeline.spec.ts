import { Timeline } from './timeline';

const START_MS = 1_800_000_000_000;
const SLOT_MS = 400;

function timelineAt(slot: number): Timeline {
  const timeline = new Timeline({
    firstSlot: 1_000,
    lastSlot: null,
    startMs: START_MS,
    slotMs: SLOT_MS,
    fork: 0,
  });
  timeline.follow(START_MS + (slot - 1_000) * SLOT_MS);
  return timeline;
}

describe('timeline', () => {
  it('follows the clock and never goes back', () => {
    const timeline = timelineAt(1_010);
    expect(timeline.tip).toBe(1_010);
    expect(timeline.follow(START_MS)).toBe(1_010);
    expect(timeline.follow(START_MS + 11 * SLOT_MS - 1)).toBe(1_010);
    expect(timeline.follow(START_MS + 11 * SLOT_MS)).toBe(1_011);
  });

  it('shows no block that has not begun', () => {
    const timeline = timelineAt(1_010);
    expect(timeline.isBlock(1_010)).toBe(true);
    expect(timeline.isBlock(1_011)).toBe(false);
    expect(timeline.blocksBetween(1_008, 2_000)).toEqual([1_008, 1_009, 1_010]);
  });

  it('jumps over a long time with a bounded number of skipped slots', () => {
    const timeline = timelineAt(1_010);
    const before = timeline.startMsOf(1_010);
    const dayLater = before + 86_400_000;
    timeline.apply(timeline.planJump(before, dayLater));
    expect(timeline.follow(dayLater)).toBe(2_011);
    expect(timeline.blocksBetween(1_009, 3_000)).toEqual([1_009, 1_010, 2_011]);
    expect(timeline.parentOf(2_011)).toBe(1_010);
    expect(timeline.startMsOf(2_011)).toBe(dayLater);
    expect(timeline.newestBlockUpTo(2_010)).toBe(1_010);
  });

  it('makes blocks at once, all with the time of now', () => {
    const timeline = timelineAt(1_010);
    const now = timeline.startMsOf(1_010) + 100;
    timeline.apply(timeline.planBlocks(5, now));
    expect(timeline.follow(now)).toBe(1_015);
    expect([1_011, 1_014, 1_015].map((slot) => timeline.startMsOf(slot))).toEqual([now, now, now]);
    expect(timeline.follow(now + SLOT_MS)).toBe(1_016);
  });

  it('keeps the tip while a skipped slot passes, and what is skipped stays skipped', () => {
    const timeline = timelineAt(1_010);
    timeline.apply(timeline.planSkip(2));
    expect(timeline.follow(START_MS + 12 * SLOT_MS)).toBe(1_010);
    timeline.apply(timeline.planBlocks(1, START_MS + 12 * SLOT_MS));
    expect(timeline.follow(START_MS + 12 * SLOT_MS)).toBe(1_013);
    expect(timeline.blocksBetween(1_009, 2_000)).toEqual([1_009, 1_010, 1_013]);
  });

  it('forks: later slots keep their times and get another fork', () => {
    const timeline = timelineAt(1_010);
    timeline.apply(timeline.planBlocks(3, timeline.startMsOf(1_010)));
    timeline.follow(timeline.startMsOf(1_010));
    const times = [1_008, 1_009, 1_012, 1_013].map((slot) => timeline.startMsOf(slot));
    timeline.apply(timeline.planFork(1_008));
    expect([1_008, 1_009, 1_012, 1_013].map((slot) => timeline.startMsOf(slot))).toEqual(times);
    expect([1_008, 1_009, 1_013].map((slot) => timeline.forkOf(slot))).toEqual([0, 1, 1]);
    expect(timeline.tip).toBe(1_013);
  });

  it('finds the first block of a time, also behind a gap', () => {
    const timeline = timelineAt(1_010);
    const startSeconds = START_MS / 1000;
    expect(timeline.firstBlockSince(startSeconds + 1)).toBe(1_003);
    expect(timeline.firstBlockSince(startSeconds + 5)).toBeNull();
    timeline.apply(timeline.planJump(START_MS + 4_000, START_MS + 90_000));
    timeline.follow(START_MS + 90_000);
    expect(timeline.firstBlockSince(startSeconds + 5)).toBe(timeline.tip);
  });
});
