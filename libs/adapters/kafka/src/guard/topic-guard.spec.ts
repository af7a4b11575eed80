import { Unavailable, type Log, type Located, type Position, type PublicEvent } from '@tender/eventing';
import { eventRecord, landmarkOf, progressRecord, type Landmark } from '../records/cloud-event';
import type { TopicRecords } from './topic-end';
import { TopicGuard } from './topic-guard';

const at = (position: number): Located => ({
  position: String(position),
  message: {
    ...{ type: 'notes.noted.v1', id: `public-${position}`, mode: 'test', key: 'note.test-a' },
    ...{ sequence: position, merchant_id: null, correlation_id: 'c' },
    causation_id: `event-${position}`,
    occurred_at: '2026-01-01T00:00:00.000Z',
    recorded_at: '2026-01-01T00:00:00.000Z',
    data: {},
  } satisfies PublicEvent,
});
const written = ({ value }: { value: Buffer | string | null }) => ({
  partition: 0,
  value: Buffer.from(String(value)),
});
const event = (position: number) => written(eventRecord(at(position), 'notes', 1));
const progress = (position: number, newest?: Landmark | null) =>
  written(progressRecord('notes', 0, String(position), 1_000, newest));
const NEWEST = landmarkOf(at(50));

/** A log whose positions 1 to 100 are events of one stream. */
function guarded(
  records: TopicRecords['records'],
  { whole = [true], behind = '40' }: { whole?: boolean[]; behind?: Position | null } = {},
) {
  const errors: object[] = [];
  const log: Log = {
    info: () => undefined,
    warn: () => undefined,
    error: (fields) => void errors.push(fields),
  };
  const events = Array.from({ length: 100 }, (_, n) => ({
    metadata: { id: `event-${n + 1}` },
    position: String(n + 1),
  }));
  let looks = 0;
  const guard = new TopicGuard({
    ...{ topic: 'test.notes.events', name: 'relay.notes:test', clock: { wall: () => 0 }, log },
    readEnd() {
      looks += 1;
      return Promise.resolve({ records, whole: whole[looks - 1] ?? true });
    },
    eventStore: {
      isBefore: (position, other) => Number(position) < Number(other),
      load: () => Promise.resolve(events as never),
      newest: () => Promise.resolve('100'),
    },
  });
  guard.startsBehind(behind);
  return { guard, errors, looks: () => looks };
}

const refused = { name: 'RestoredLog' };

describe('what a topic does not have', () => {
  it.each<[string, Landmark | null]>([
    ['between its newest event and its progress', NEWEST],
    ['before its progress, though it has had none', null],
  ])('is not written there: %s', async (_, newest) => {
    const { guard, errors } = guarded([progress(90, newest)]);
    await expect(guard.admit([at(60)])).rejects.toMatchObject(refused);
    expect(errors).toHaveLength(1);
  });

  it('is written when it is past its progress, or may have been written before', async () => {
    const { guard } = guarded([progress(90, NEWEST)]);
    await guard.admit([at(50), at(91)]);
    expect(guard.newest).toEqual(landmarkOf(at(91)));
  });

  it.each<[string, TopicRecords['records']]>([
    ['its progress does not say which event is the newest', [progress(90)]],
    ['only older progress says it', [progress(50, NEWEST), progress(90)]],
    ['it says so of an event', [event(50), progress(90)]],
  ])('is written when %s', async (_, records) => {
    const { guard, errors } = guarded(records);
    await guard.admit([]);
    expect(guard.newest).toBeUndefined();
    await guard.admit([at(60)]);
    expect(guard.newest).toEqual(landmarkOf(at(60)));
    expect(errors).toEqual([]);
  });
});

describe('the newest event of a topic', () => {
  it('is known from its progress, from a record, and for a relay that has passed all of the log', async () => {
    const told = guarded([event(40), progress(90, NEWEST)]);
    const seen = guarded([progress(40), event(50)]);
    const first = guarded([], { behind: null });
    for (const { guard } of [told, seen, first]) await guard.admit([]);
    expect(told.guard.newest).toEqual(NEWEST);
    expect(seen.guard.newest).toEqual(NEWEST);
    expect(first.guard.newest).toBeNull();
  });

  it('is not known where the records that named it are gone', async () => {
    const { guard } = guarded([]);
    await guard.admit([]);
    expect(guard.newest).toBeUndefined();
  });

  it('that is not in the log is refused, though later progress does not name it', async () => {
    const other = { ...NEWEST, id: 'of another log' };
    const { guard } = guarded([progress(60, other), progress(90)]);
    await expect(guard.admit([])).rejects.toMatchObject(refused);
  });
});

it('records that were not sent are asked for again, and not known when they cannot be read', async () => {
  const { guard, looks } = guarded([progress(90, NEWEST)], { whole: [false, false] });
  await expect(guard.admit([])).rejects.toBeInstanceOf(Unavailable);
  await guard.admit([]);
  expect(looks()).toBe(2);
  expect(guard.newest).toBeUndefined();
});

it('a refusal stands for all that waited for the same look', async () => {
  const { guard, looks } = guarded([progress(90, NEWEST)]);
  const both = await Promise.allSettled([guard.admit([at(60)]), guard.admit([])]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(guard.admit([])).rejects.toMatchObject(refused);
  expect(looks()).toBe(1);
});
