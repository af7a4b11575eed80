import type { PublicEvent } from '@tender/eventing';
import { eventRecord, landmarkOf, progressRecord, readRecord } from './cloud-event';

const message: PublicEvent = {
  ...{ type: 'notes.noted.v1', id: 'id-1', mode: 'test', key: 'note.test-a', sequence: 7 },
  ...{ merchant_id: 'mrc_1', correlation_id: 'c', causation_id: 'b' },
  occurred_at: '2026-01-01T00:00:00.000Z',
  recorded_at: '2026-01-01T00:00:01.000Z',
  data: { note: 'ä 🜚', 'size"': 1, amount: '10.50', none: null },
};
const isPosition = (position: string): boolean => /^\d+$/.test(position);
const read = (value: unknown, partition = 0) =>
  readRecord(Buffer.from(JSON.stringify(value)), partition, isPosition);
const written = (given: PublicEvent = message, partitions = 3) => {
  const record = eventRecord({ message: given, position: '41' }, 'notes', partitions);
  const event = JSON.parse(String(record.value));
  return { ...record, partition: record.partition as number, event };
};

describe('records', () => {
  it('are CloudEvents 1.0, structured, with names that CloudEvents allows', () => {
    const { event, headers, key } = written();
    expect(event).toMatchObject({
      ...{ specversion: '1.0', type: 'notes.noted.v1', id: 'id-1', source: '/tender/notes' },
      ...{ time: message.occurred_at, recordedtime: message.recorded_at, sequence: '7' },
      ...{ partitionkey: 'note.test-a', logposition: '41', data: message.data },
    });
    expect(headers).toEqual({ 'content-type': 'application/cloudevents+json; charset=UTF-8' });
    expect(key).toBe('note.test-a');
    for (const name of Object.keys(event)) expect(name).toMatch(/^[a-z0-9]+$/);
  });

  it.each([message, { ...message, merchant_id: null }, { ...message, data: null }])(
    'come back as they were',
    (given) => {
      const { event, partition } = written(given);
      const located = { message: given, position: '41' };
      expect(read(event, partition)).toEqual({ kind: 'event', located });
    },
  );

  it('tell of progress', () => {
    const newest = { stream: 'note.test-a', id: 'b', position: '40' } as const;
    const record = progressRecord('notes', 2, '41', 1_000, newest);
    expect(record).toMatchObject({ key: null, partition: 2 });
    const progress = readRecord(Buffer.from(String(record.value)), 2, isPosition);
    expect(progress).toEqual({ kind: 'progress', position: '41', wall_ms: 1_000, newest });
    expect(landmarkOf({ message, position: '40' })).toEqual(newest);
  });

  it.each([undefined, 'b', {}, { stream: 'note.test-a', id: 'b' }, { id: 'b', position: '40' }])(
    'tell of progress, and not of an event that cannot be read: %j',
    (newest) => {
      const { value } = progressRecord('notes', 0, '41', 1_000, newest as never);
      const progress = readRecord(Buffer.from(String(value)), 0, isPosition);
      expect(progress).toMatchObject({ kind: 'progress', newest: undefined });
    },
  );

  it('tell of progress before the first event', () => {
    const { value } = progressRecord('notes', 0, '41', 1_000, null);
    expect(readRecord(Buffer.from(String(value)), 0, isPosition)).toMatchObject({ newest: null });
  });

  it('are passed over in a partition that is not their key’s', () => {
    const { event, partition } = written();
    const elsewhere = (partition + 1) % 3;
    expect(read(event, elsewhere)).toMatchObject({ kind: 'passed', why: expect.any(String) });
  });

  it('of control types that are not known are passed over in silence', () => {
    const event = { ...written().event, type: 'tender.something-new.v1' };
    expect(read(event)).toEqual({ kind: 'passed', why: null });
  });

  const { event, partition } = written();
  it.each([
    ...[null, 7, 'text', [], {}, { specversion: '0.3' }],
    ...[{ ...event, type: 7 }, { ...event, logposition: 41 }, { ...event, logposition: 'x' }],
    ...[{ ...event, sequence: 'x' }, { ...event, partitions: 0 }, { ...event, partitions: '3' }],
    ...[{ ...event, partitionkey: undefined }, { ...event, time: 5 }],
    { ...event, type: 'tender.relay-progress.v1', data: null },
  ])('that are rubbish are read as such: %j', (rubbish) => {
    expect(read(rubbish, partition)).toMatchObject({ kind: 'rubbish' });
  });

  it.each([null, Buffer.alloc(0), Buffer.from([0xff, 0x00, 0xfe]), Buffer.from('{"a":')])(
    'that are no JSON are read as rubbish',
    (bytes) => {
      expect(readRecord(bytes, 0, isPosition)).toMatchObject({ kind: 'rubbish' });
    },
  );
});
