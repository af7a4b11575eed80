import type { StreamName } from '@tender/eventing';
import { LogTail, type Place } from './log-tail';

describe('the tail of the log', () => {
  let log: Place[];
  let now_ms: number;
  let looks: number;
  let onLook: () => void;
  const add = (position: number, stream: StreamName): number => log.push({ position, stream });
  const make = (): LogTail =>
    new LogTail({
      wall: () => now_ms,
      late_ms: 7_000,
      newest: async function* (count) {
        looks += 1;
        const found = log.slice(-count).reverse();
        onLook();
        yield* found;
      },
    });

  beforeEach(() => {
    log = [];
    now_ms = 100_000;
    looks = 0;
    onLook = () => undefined;
  });

  it('knows the newest event of a category from where it began to look', async () => {
    add(10, 'note.test-a');
    const tail = make();
    await tail.refresh();
    add(25, 'memo.test-a');
    add(40, 'note.test-b');
    add(41, '$settings' as StreamName);
    await tail.refresh();
    expect(tail).toMatchObject({ end: 41, covers_from: 10 });
    expect(tail.newestOf(['memo.test'])).toBe(25);
    expect(tail.newestOf(['note.test', 'memo.test'])).toBe(40);
    expect(tail.newestOf(['note.live'])).toBe(0);
  });

  it('knows no more than it has looked at after a great many events', async () => {
    add(1, 'note.test-a');
    const tail = make();
    await tail.refresh();
    for (let position = 2; position <= 5_000; position += 1) add(position, 'note.test-a');
    await tail.refresh();
    expect(tail).toMatchObject({ end: 5_000, covers_from: 3_001 });
  });

  it('takes the time before it asks for the end, and takes late appends off', async () => {
    const tail = make();
    onLook = () => {
      now_ms += 1_000;
    };
    await tail.refresh();
    expect(tail.wall_ms).toBe(100_000 - 7_000);
  });

  it('looks again for a call that came while it was looking, once for all of them', async () => {
    const tail = make();
    const first = tail.refresh();
    add(10, 'note.test-a');
    await Promise.all([first, tail.refresh(), tail.refresh(), tail.refresh()]);
    expect(tail.end).toBe(10);
    expect(looks).toBe(2);
  });

  it('is not stopped by a look that fails', async () => {
    const tail = make();
    onLook = () => {
      throw new Error('meant');
    };
    await expect(tail.refresh()).rejects.toThrow('meant');
    onLook = () => undefined;
    add(10, 'note.test-a');
    await tail.refresh();
    expect(tail.end).toBe(10);
  });

  it('follows a log that was put back', async () => {
    add(10, 'note.test-a');
    add(20, 'note.test-a');
    const tail = make();
    await tail.refresh();
    log.pop();
    await tail.refresh();
    expect(tail.end).toBe(10);
  });
});
