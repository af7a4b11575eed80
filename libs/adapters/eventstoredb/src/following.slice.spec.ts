// What a conformance suite cannot ask of every store: how the adapter follows a log that others write.
import { noteOf } from '@tender/eventing/testing';
import { writeElsewhere } from './testing/other-process';
import { note, quiet, Stage, stream, witness } from './testing/stage';

describe('the adapter and those that follow the log', () => {
  const stage = new Stage();

  it('replaces a subscription that is silent while the log moves', async () => {
    const warnings: string[] = [];
    const log = { ...quiet, warn: (_: object, message: string) => void warnings.push(message) };
    const store = await stage.open({ silent_ms: 300, log });
    const { seen, follower } = witness(store);
    await store.append(stream, [note('heard')], 'no_stream');
    await follower.idle();
    await stage.server.double.misbehave({ silence: true });
    await store.append(stream, [note('not heard')], 0);
    await follower.idle();
    expect(seen.map(noteOf)).toEqual(['heard', 'not heard']);
    expect(warnings).toContain('a subscription is silent and is replaced');
  });

  it('leaves a silent subscription alone where there is nothing to say', async () => {
    const warnings: string[] = [];
    const log = { ...quiet, warn: (_: object, message: string) => void warnings.push(message) };
    const store = await stage.open({ silent_ms: 1, log });
    const { follower } = witness(store);
    await follower.idle();
    for (let turn = 0; turn < 3; turn += 1) {
      await store.append('memo.test-a', [note(turn)], turn === 0 ? 'no_stream' : turn - 1);
      await follower.idle();
    }
    expect(warnings).toEqual([]);
  });

  it('stops a follower whose position is not in the log any more', async () => {
    const errors: string[] = [];
    const log = { ...quiet, error: (_: object, message: string) => void errors.push(message) };
    const store = await stage.open({ log });
    await store.append(stream, [note('one')], 'no_stream');
    const follower = store.follow({
      ...{ name: 'ahead', categories: ['note.test'], from: '999999999' },
      onEvents: () => Promise.resolve(),
    });
    await expect(follower.idle()).rejects.toThrow('ahead is past the end of the log');
    expect(errors).toHaveLength(1);
  });

  it('tells no time before which an event is still to come', async () => {
    const clock = { ms: 1_800_000_000_000, wall: () => clock.ms };
    const [append_timeout_ms, late_ms] = [300_000, 100];
    const store = await stage.open({ clock, append_timeout_ms, late_ms });
    const told: number[] = [];
    let earliest_ms = Number.POSITIVE_INFINITY;
    const follower = store.follow({
      ...{ name: 'watcher', categories: ['note.test'], from: null },
      onEvents(events) {
        for (const { metadata } of events) {
          const recorded_ms = Date.parse(metadata.recorded_at);
          earliest_ms = Math.min(earliest_ms, recorded_ms - Math.max(0, ...told));
        }
        return Promise.resolve();
      },
      onProgress(_position, wall_ms) {
        told.push(wall_ms);
        return Promise.resolve();
      },
    });
    const appendStamped = (turn: number) =>
      Promise.all(
        Array.from({ length: 4 }, (_, writer) => {
          const event = note(turn, `note.test-${writer}`);
          const recorded_at = new Date((clock.ms += 1)).toISOString();
          const stamped = { ...event, metadata: { ...event.metadata, recorded_at } };
          return store.append(`note.test-${writer}`, [stamped], turn === 0 ? 'no_stream' : turn - 1);
        }),
      );
    for (let turn = 0; turn < 100; turn += 1) {
      const latest_ms = clock.ms + append_timeout_ms + late_ms;
      const appending = appendStamped(turn);
      const looking = [follower.idle()];
      // Each of them is as late as it may be, and the log is looked at meanwhile.
      for (const ms of [clock.ms + append_timeout_ms / 2, latest_ms]) {
        clock.ms = ms;
        looking.push(follower.idle());
        await Promise.race([appending, looking.at(-1)]);
      }
      expect((await appending).every(({ ok }) => ok)).toBe(true);
      await Promise.all(looking);
    }
    const ended_ms = clock.ms;
    clock.ms += 2 * (append_timeout_ms + late_ms);
    while (!told.some((wall_ms) => wall_ms > ended_ms)) await follower.idle();
    expect(new Set(told).size).toBeGreaterThan(100);
    expect(earliest_ms).toBeGreaterThanOrEqual(0);
    expect(told).toEqual([...told].sort((one, other) => one - other));
  });

  it('counts what a follower has not handled, by reading on', async () => {
    const store = await stage.open();
    expect(await store.lag(['note.test'], null)).toEqual({ events: 0, capped: false, seconds: 0 });
    await store.append(stream, [note(0), note(1), note(2)], 'no_stream');
    await store.append('memo.test-a', [note('elsewhere')], 'no_stream');
    const first = (await store.load(stream))[0]?.position ?? null;
    expect(await store.lag(['note.test'], null)).toMatchObject({ events: 3, capped: false });
    const lag = await store.lag(['note.test', 'note.live'], first);
    expect(lag).toMatchObject({ events: 2, capped: false });
    expect(lag.seconds).toBeGreaterThan(0);
    for (let turn = 0; turn < 20; turn += 1) {
      const many = Array.from({ length: 500 }, (_, n) => note(n));
      const appended = await store.append(stream, many, 2 + turn * 500);
      expect(appended).toMatchObject({ ok: true });
    }
    expect(await store.lag(['note.test'], null)).toMatchObject({ events: 10_000, capped: true });
  });

  it('shows every follower what several processes write', async () => {
    const store = await stage.open();
    const { seen, follower } = witness(store);
    const written = await Promise.all(
      Array.from({ length: 4 }, (_, process) => writeElsewhere(stage.server, process)),
    );
    await follower.idle();
    expect(seen.map(({ metadata }) => metadata.id).sort()).toEqual(written.flat().sort());
    const shared = await store.load('note.test-shared');
    expect(shared.map(({ revision }) => revision)).toEqual(shared.map((_, index) => index));
  });
});
