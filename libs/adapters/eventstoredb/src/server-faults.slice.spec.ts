// What a conformance suite cannot ask of every store: how the adapter bears a server that fails it.
import { inspect } from 'node:util';
import { Unavailable, type Log, type NewEvent, type StreamName } from '@tender/eventing';
import { noteOf } from '@tender/eventing/testing';
import type { EventStoreDb } from './index';
import { answered, note, Stage, stream, turnOfLoop, untilAnswered, witness } from './testing/stage';
import { makeStore } from './testing/store-of-test';

describe('the adapter and a server that fails', () => {
  const stage = new Stage();

  it('loses and doubles nothing when the server is killed under load, three times over', async () => {
    const store = await stage.open({ append_timeout_ms: 2_000 });
    const { seen, follower } = witness(store);
    let unavailable = 0;
    const acknowledged: string[] = [];
    const writing = Promise.all(
      Array.from({ length: 16 }, async (_, writer) => {
        const own: StreamName = `note.test-${writer}`;
        for (let turn = 0; turn < 40; turn += 1) {
          const event = note(turn, own);
          await untilAnswered(store, event, own, turn, () => (unavailable += 1));
          acknowledged.push(event.metadata.id);
        }
      }),
    );
    for (let kill = 1; kill <= 3; kill += 1) {
      while (acknowledged.length < kill * 150) await turnOfLoop();
      await stage.server.double.kill();
      const there = acknowledged.length;
      await stage.server.restart();
      expect(there).toBeGreaterThanOrEqual(kill * 150);
    }
    await writing;
    await follower.idle();
    expect(unavailable).toBeGreaterThan(0);
    const ids = seen.map(({ metadata }) => metadata.id);
    expect([...ids].sort()).toEqual([...acknowledged].sort());
    for (let writer = 0; writer < 16; writer += 1) {
      const own = await store.load(`note.test-${writer}`);
      expect(own.map(noteOf)).toEqual(Array.from({ length: 40 }, (_, turn) => turn));
      expect(seen.filter((event) => event.stream === `note.test-${writer}`)).toEqual(own);
    }
  });

  it('does not know the outcome of an append that takes too long, and finds it the next time', async () => {
    const store = await stage.open({ append_timeout_ms: 300 });
    const event = note('slow');
    await stage.server.double.misbehave({ answer_delay_ms: 600_000 });
    await appendUnheard(store, [event]);
    await stage.server.double.misbehave({});
    const again = await answered(() => store.append(stream, [event], 'no_stream'));
    expect(again).toMatchObject({ ok: true, events: [{ revision: 0, data: { note: 'slow' } }] });
    expect(await store.load(stream)).toEqual((again as { events: unknown }).events);
  });

  it('answers a repeat of an append whose answer was lost from what is stored', async () => {
    const store = await stage.open({ append_timeout_ms: 300 });
    const events = [note('one'), note('two')];
    await stage.server.double.misbehave({ lose_acks: Number.MAX_SAFE_INTEGER });
    await appendUnheard(store, events);
    await stage.server.double.misbehave({});
    const [two, three] = [note('other'), note('three')];
    const other = await answered(() => store.append(stream, [two], 'no_stream'));
    expect(other).toEqual({ ok: false, actual: 1 });
    const again = await answered(() => store.append(stream, events, 'no_stream'));
    expect(again).toMatchObject({ ok: true, events: await store.load(stream) });
    expect(await answered(() => store.append(stream, [three], 1))).toMatchObject({ ok: true });
  });

  it('answers Unavailable while the server refuses or is gone, and works when it is back', async () => {
    const store = await stage.open();
    const { seen, follower } = witness(store);
    await stage.server.double.misbehave({ refuse: true });
    await expect(store.append(stream, [note('refused')], 'no_stream')).rejects.toThrow(Unavailable);
    await expect(store.load(stream)).rejects.toThrow(Unavailable);
    await stage.server.double.kill();
    await expect(store.append(stream, [note('gone')], 'no_stream')).rejects.toThrow(Unavailable);
    await expect(store.lag(['note.test'], null)).rejects.toThrow(Unavailable);
    const late = makeStore(stage.server.double.connection_string);
    await expect(late.start()).rejects.toThrow(Unavailable);
    await stage.server.restart();
    await untilAnswered(store, note('back'), stream, 0, () => 0);
    await follower.idle();
    expect(seen.map(noteOf)).toEqual(['back']);
  });

  it('never takes a part of a stream for the whole', async () => {
    const store = await stage.open();
    const many = Array.from({ length: 500 }, (_, n) => note(n));
    await store.append(stream, many, 'no_stream');
    await store.append(stream, many.map(({ data }) => note(noteOf({ data }))), 499);
    const whole = await store.load(stream);
    for (const read_timeout_ms of [5, 20, 60, 150, 400]) {
      const hasty = stage.make({ read_timeout_ms });
      const read = await hasty.load(stream).catch((error: unknown) => error);
      if (read instanceof Error) expect(read).toBeInstanceOf(Unavailable);
      else expect(read).toEqual(whole);
    }
  });

  it('keeps credentials to itself', async () => {
    const said: unknown[] = [];
    const note_down = (...things: unknown[]): void => void said.push(things);
    const log: Log = { info: note_down, warn: note_down, error: note_down };
    const port = new URL(stage.server.double.connection_string.replace('esdb', 'http')).port;
    const store = stage.make({ log }, `esdb://admin:canary-word@127.0.0.1:${port}?tls=false`);
    await store.start();
    const { follower } = witness(store);
    await stage.server.double.kill();
    const append = store.append(stream, [note(0)], 'no_stream');
    const failure = await append.catch((error: unknown) => error);
    while (said.length < 2) await turnOfLoop();
    await follower.stop();
    expect(failure).toBeInstanceOf(Unavailable);
    expect(inspect([failure, said], { depth: 12, showHidden: true })).not.toContain('canary-word');
    await stage.server.restart();
    for (const bad of ['esdb://admin:canary-word@host:x', 'http://admin:canary-word@host']) {
      expect(() => makeStore(bad)).toThrow('cannot be read');
      expect(() => makeStore(bad)).not.toThrow('canary-word');
    }
  });
});

/** Until the server has them: on a busy machine it may not get the first ones before they are given up. */
async function appendUnheard(store: EventStoreDb, events: readonly NewEvent[]): Promise<void> {
  do {
    await expect(store.append(stream, events, 'no_stream')).rejects.toThrow(Unavailable);
  } while ((await store.load(stream)).length === 0);
}
