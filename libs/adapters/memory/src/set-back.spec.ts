import {
  followProjections,
  type Consumer,
  type Position,
  type Projection,
  type PublicEvent,
  type ReadModels,
  type SqlTransaction,
  type StoredEvent,
  Unavailable,
} from '@tender/eventing';
import { conformanceContexts, noteOf, sampleEvent } from '@tender/eventing/testing';
import { memoryBus, memoryEventStore, silentLog, type MemoryRecords } from './index';

const wall = () => performance.timeOrigin + performance.now();
const clock = { now: wall, wall };

let store: ReturnType<typeof memoryEventStore>;
let written = 0;
let warnings: string[];
const log = {
  ...silentLog,
  warn: (_fields: object, message: string) => void warnings.push(message),
};
beforeEach(() => {
  [store, written, warnings] = [memoryEventStore(), 0, []];
});
afterEach(() => store.close());

async function write(...notes: string[]): Promise<void> {
  const events = notes.map((note) => sampleEvent('note.test-a', { note }));
  await store.append('note.test-a', events, written === 0 ? 'no_stream' : written - 1);
  written += notes.length;
}
const wentBack = () => warnings.filter((message) => message.startsWith('the database was set back'));

interface Tables {
  readonly rows: readonly unknown[];
  readonly checkpoint: Position | null;
}

/** Rows and checkpoint of one projection, which change and are set back together. */
function tables(faults: { open?: () => void } = {}) {
  const kept: { now: Tables } = { now: { rows: [], checkpoint: null } };
  const readModels = {
    query: () => Promise.resolve([]),
    rowsByKey: () => Promise.resolve([{ generation: 1, state: 'live', changed_at: '' }]),
    async transaction<Result>(work: (tx: SqlTransaction) => Promise<Result>) {
      const before = kept.now;
      try {
        return await work({ query: () => Promise.resolve([]), afterCommit: () => undefined });
      } catch (error) {
        kept.now = before;
        throw error;
      }
    },
    async checkpoint() {
      faults.open?.();
      return kept.now.checkpoint;
    },
    saveCheckpoint(_tx, _schema, _follower, checkpoint, from) {
      if (from !== undefined && from !== kept.now.checkpoint) throw new Unavailable('moved');
      kept.now = { ...kept.now, checkpoint };
      return Promise.resolve();
    },
    release: () => undefined,
    waitFor: () => Promise.resolve(true),
  } as ReadModels;
  const projection: Projection = {
    ...{ name: 'notes.list@1', table: 'notes.list', nouns: ['note'], modes: ['test'] },
    apply(events) {
      kept.now = { ...kept.now, rows: [...kept.now.rows, ...events.map(noteOf)] };
      return Promise.resolve();
    },
  } as Projection;
  const followers = followProjections({
    ...{ eventStore: store, readModels, schema: 'notes', projections: [projection], log },
  });
  return { kept, followers };
}

describe('a projection whose table was set back while it was followed', () => {
  it('goes on from the checkpoint that it finds, and idle waits for it', async () => {
    const { kept, followers } = tables();
    await followers.start();
    await write('one');
    await followers.idle();
    const backup = kept.now;
    await write('two', 'three');
    await followers.idle();
    kept.now = backup;
    await write('four');
    await followers.idle();
    expect(kept.now).toEqual({ rows: ['one', 'two', 'three', 'four'], checkpoint: '4' });
    expect(wentBack()).toHaveLength(1);
    await followers.stop();
  });

  it('goes back as often as it is set back, to the very beginning as well', async () => {
    const { kept, followers } = tables();
    await followers.start();
    for (const note of ['one', 'two', 'three']) {
      kept.now = { rows: [], checkpoint: null };
      await write(note);
      await followers.idle();
    }
    expect(kept.now.rows).toEqual(['one', 'two', 'three']);
    expect(wentBack()).toHaveLength(2);
    await followers.stop();
  });

  it('goes back as well when the next process that follows it has heard of no event yet', async () => {
    const { kept, followers } = tables();
    await followers.start();
    await write('one');
    await followers.idle();
    const backup = kept.now;
    await write('two');
    await followers.idle();
    await followers.stop();
    await followers.start();
    kept.now = backup;
    await write('three');
    await followers.idle();
    expect(kept.now).toEqual({ rows: ['one', 'two', 'three'], checkpoint: '3' });
    expect(wentBack()).toHaveLength(1);
    await followers.stop();
  });

  it('writes nothing past the gap while the database is away again', async () => {
    let away = 0;
    const { kept, followers } = tables({
      open: () => {
        if (wentBack().length > 0 && (away += 1) <= 2) throw new Unavailable('postgres');
      },
    });
    await followers.start();
    await write('one', 'two');
    await followers.idle();
    kept.now = { rows: ['one'], checkpoint: '1' };
    await write('three');
    await followers.idle();
    expect(away).toBeGreaterThan(2);
    expect(kept.now).toEqual({ rows: ['one', 'two', 'three'], checkpoint: '3' });
    await followers.stop();
  });

  it('leaves nothing running when it is stopped in the middle', async () => {
    let follows = 0;
    let ends = 0;
    const { follow } = store;
    store.follow = (options) => {
      follows += 1;
      const follower = follow(options);
      return { ...follower, stop: () => follower.stop().then(() => void (ends += 1)) };
    };
    const { kept, followers } = tables();
    await followers.start();
    await write('one', 'two');
    await followers.idle();
    kept.now = { rows: [], checkpoint: null };
    const warned = log.warn;
    const told = new Promise<void>((resolve) => {
      log.warn = (fields, message) => {
        warned(fields, message);
        if (wentBack().length > 0) resolve();
      };
    });
    await write('three');
    await told;
    log.warn = warned;
    await followers.stop();
    await followers.idle();
    expect(ends).toBe(follows);
    const { now } = kept;
    await write('four');
    expect(kept.now).toBe(now);
  });
});

describe('a consumer whose checkpoint was set back while it followed', () => {
  it('hears again what was lost, in order, then goes on', async () => {
    const records: MemoryRecords = new Map();
    const ports = { clock, log, records };
    const bus = memoryBus({ eventStore: store, contexts: conformanceContexts, ...ports });
    const seen: PublicEvent[] = [];
    const taken: string[] = [];
    const consumer: Consumer = await bus.consume({
      ...{ consumer: 'readers.count-notes', types: ['notes.noted.v1'] },
      // As a row that is written with the checkpoint.
      handler: (batch, tx) => Promise.resolve(tx.afterCommit(() => void seen.push(...batch))),
      onTakeOver: (mode) => void taken.push(mode),
    });
    expect(taken.sort()).toEqual(['live', 'test']);
    await write('one', 'two', 'three');
    await consumer.idle();
    const kept = records.get('readers.count-notes:test');
    const { position } = store.all[0] as StoredEvent;
    await kept?.transaction((tx) => kept.saveCheckpoint(tx, position));
    await write('four');
    await consumer.idle();
    expect(seen.map(noteOf)).toEqual(['one', 'two', 'three', 'two', 'three', 'four']);
    expect(await kept?.checkpoint()).toBe('4');
    expect(wentBack()).toHaveLength(1);
    expect(taken.sort()).toEqual(['live', 'test', 'test']);
    await bus.close();
  });
});
