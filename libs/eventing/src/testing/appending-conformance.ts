/// <reference types="jest" />
import { hashOf } from '../aggregates/command-handler';
import type { NewEvent, Position, StreamName } from '../events/event';
import type { Appended } from '../ports/event-store';
import { UnstorableText } from '../ports/failures';
import { noteOf, sampleEvent } from './sample-events';
import type { StoreUnderTest } from './store-under-test';

export function appendingConformance(opened: () => StoreUnderTest): void {
  const stream: StreamName = 'note.test-one';
  const note = (text: unknown, on: StreamName = stream): NewEvent =>
    sampleEvent(on, { note: text });

  const positionOf = async (appending: Promise<Appended>): Promise<Position> => {
    const appended = await appending;
    return appended.ok ? appended.position : '';
  };

  it('keeps events as they were written, in order', async () => {
    const { store } = opened();
    const data = { note: 'ä 🜚 \\u0000 "quoted"', nested: [{ due: '10.50' }], b: 1, a: null };
    const first = sampleEvent(stream, data);
    const appended = await store.append(stream, [first, note('second')], 'no_stream');
    const loaded = await store.load(stream);
    expect(loaded).toEqual((appended as { events: unknown }).events);
    expect(loaded[0]).toMatchObject({ ...first, stream, revision: 0 });
    expect(JSON.stringify(loaded[0]?.data)).toBe(JSON.stringify(data));
    expect(loaded[1]).toMatchObject({ revision: 1, data: { note: 'second' } });
    expect(store.isBefore(loaded[0]?.position ?? '', loaded[1]?.position ?? '')).toBe(true);
    expect(appended).toMatchObject({ ok: true, position: loaded[1]?.position });
  });

  it('has nothing of a stream that does not exist', async () => {
    expect(await opened().store.load('note.test-none')).toEqual([]);
  });

  it('gives each of many loads at once its own stream, in order', async () => {
    const { store } = opened();
    const other: StreamName = 'note.test-other';
    await store.append(stream, [note('a'), note('b')], 'no_stream');
    await store.append(other, [note('c', other)], 'no_stream');
    await store.append(stream, [note('d')], 1);
    const asked: StreamName[] = [other, stream, 'note.test-none', stream];
    const loaded = await Promise.all(asked.map((one) => store.load(one)));
    const [c, abd] = [['c'], ['a', 'b', 'd']];
    expect(loaded.map((events) => events.map(noteOf))).toEqual([c, abd, [], abd]);
  });

  it('tells where its newest event is, of whichever stream', async () => {
    const { store, reopen } = opened();
    const before = await store.newest();
    const first = await positionOf(store.append(stream, [note(0), note(1)], 'no_stream'));
    if (before !== null) expect(store.isBefore(before, first)).toBe(true);
    // A server that others write, too, may be further.
    expect(store.isBefore((await store.newest()) ?? '', first)).toBe(false);
    const other: StreamName = 'memo.live-other';
    const second = await positionOf(store.append(other, [note(2, other)], 'no_stream'));
    const newest = await store.newest();
    expect(store.isBefore(newest ?? '', second)).toBe(false);
    expect(newest).not.toBeNull();
    const again = await reopen();
    expect(again.isBefore((await again.newest()) ?? '', second)).toBe(false);
  });

  it.each([
    ['no_stream' as const, 1],
    [0, 1],
    [2, 1],
  ])('answers a stale expected revision (%s) with the actual one', async (expected, actual) => {
    const { store } = opened();
    await store.append(stream, [note(0), note(1)], 'no_stream');
    expect(await store.append(stream, [note('stale')], expected)).toEqual({ ok: false, actual });
    expect((await store.load(stream)).map(noteOf)).toEqual([0, 1]);
  });

  it('answers null where the stream does not exist', async () => {
    const { store } = opened();
    expect(await store.append(stream, [note(0)], 0)).toEqual({ ok: false, actual: null });
    expect(await store.load(stream)).toEqual([]);
  });

  it('appends all events of a call or none', async () => {
    const { store } = opened();
    await store.append(stream, [note(0)], 'no_stream');
    const refused = await store.append(stream, [note('a'), note('b'), note('c')], 'no_stream');
    expect(refused).toEqual({ ok: false, actual: 0 });
    expect(await store.load(stream)).toHaveLength(1);
  });

  it('answers a repeat as the first time, also after later events', async () => {
    const { store } = opened();
    const begin = [note('begin'), note('go on')];
    const first = await store.append(stream, begin, 'no_stream');
    const next = [note('next')];
    const second = await store.append(stream, next, 1);
    expect(await store.append(stream, begin, 'no_stream')).toEqual(first);
    expect(await store.append(stream, next, 1)).toEqual(second);
    expect(await store.load(stream)).toHaveLength(3);
  });

  it('does not take other events at the same place for a repeat', async () => {
    const { store } = opened();
    const [begin, other] = [note('begin'), note('other')];
    await store.append(stream, [begin], 'no_stream');
    expect(await store.append(stream, [begin, other], 'no_stream')).toMatchObject({ ok: false });
  });

  it('gives one of many equal appends its effect and all of them its answer', async () => {
    const { store } = opened();
    const same = [note('same')];
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => store.append(stream, same, 'no_stream')),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ ok: true });
    expect(await store.load(stream)).toHaveLength(1);
  });

  it('lets one of many writers win a revision', async () => {
    const { store } = opened();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, writer) => store.append(stream, [note(writer)], 'no_stream')),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.filter(({ ok }) => !ok)).toEqual(
      Array.from({ length: 19 }, () => ({ ok: false, actual: 0 })),
    );
  });

  it('holds streams of 1,000 events', async () => {
    const { store } = opened();
    const half = (from: number) => Array.from({ length: 500 }, (_, n) => note(from + n));
    await store.append(stream, half(0), 'no_stream');
    await store.append(stream, half(500), 499);
    const loaded = await store.load(stream);
    expect(loaded.map(noteOf)).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
    expect(loaded.at(-1)?.revision).toBe(999);
    expect(await store.append(stream, [note('last')], 999)).toMatchObject({ ok: true });
  });

  it('refuses NUL and lone surrogates without harm to the neighbours', async () => {
    const { store } = opened();
    const bad = ['\u0000', 'a\ud800', '\udc00b', '\\\u0000'];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) => {
        const own: StreamName = `note.test-${n}`;
        const text = n % 10 === 0 ? bad[n / 10] : `good ${n}`;
        return store.append(own, [note(text, own)], 'no_stream');
      }),
    );
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(4);
    for (const outcome of refused) {
      expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(UnstorableText);
    }
    expect(await store.load('note.test-10')).toEqual([]);
    expect(await store.load('note.test-11')).toHaveLength(1);
  });

  it('has everything after a restart, and goes on after it', async () => {
    const { store, reopen } = opened();
    const begin = [note('before')];
    const first = await store.append(stream, begin, 'no_stream');
    const again = await reopen();
    expect((await again.load(stream)).map(noteOf)).toEqual(['before']);
    expect(await again.append(stream, begin, 'no_stream')).toEqual(first);
    const after = await again.append(stream, [note('after')], 0);
    expect(after.ok && first.ok && again.isBefore(first.position, after.position)).toBe(true);
  });

  it('answers an append again whose answer never came, wherever it was lost', async () => {
    let { store } = opened();
    for (let turn = 0; turn < 8; turn += 1) {
      const own: StreamName = `note.test-lost-${turn}`;
      const events = [note('first', own), note('second', own)];
      const lost = store.append(own, events, 'no_stream').catch(() => null);
      for (let later = 0; later < turn; later += 1) await Promise.resolve();
      store = await opened().reopen();
      await lost;
      const again = await store.append(own, events, 'no_stream');
      expect(again).toMatchObject({ ok: true });
      expect(await store.append(own, events, 'no_stream')).toEqual(again);
      expect(await store.load(own)).toEqual((again as { events: unknown }).events);
    }
  });

  it('gives back the hash chain of a stream as it was written', async () => {
    const { store } = opened();
    const keys = ['size\\', 'size"', '10', '9', 'é\n', '__proto__', ''];
    let previous: NewEvent | undefined;
    for (let turn = 0; turn < 12; turn += 1) {
      const data = Object.fromEntries(
        keys.slice(turn % keys.length).map((key) => [key, { [key]: turn }]),
      );
      const bare = sampleEvent(stream, data);
      const prev_hash = previous ? hashOf(previous) : null;
      const event = { ...bare, metadata: { ...bare.metadata, prev_hash } };
      await store.append(stream, [event], turn === 0 ? 'no_stream' : turn - 1);
      previous = event;
    }
    const loaded = await store.load(stream);
    expect(loaded.map(({ metadata }) => metadata.prev_hash)).toEqual([
      null,
      ...loaded.slice(0, -1).map(hashOf),
    ]);
    expect(hashOf(loaded.at(-1) as NewEvent)).toBe(hashOf(previous as NewEvent));
  });
}
