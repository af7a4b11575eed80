import { PassThrough } from 'node:stream';
import type { Log } from '@tender/eventing';
import { sampleEvent } from '@tender/eventing/testing';
import { StreamIdentifier } from '@eventstore/db-client/generated/shared_pb';
import { ReadResp, type ReadReq } from '@eventstore/db-client/generated/streams_pb';
import type { LogClient } from './log-client';
import { LogTail, type Place } from './log-tail';
import { SubscribedLog } from './subscribed-log';

const CATEGORIES = new Set(['note.test'] as const);
const quiet: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

function eventAt(position: number): ReadResp {
  const { type, data, metadata } = sampleEvent('note.test-a', { position });
  const identifier = new StreamIdentifier();
  identifier.setStreamName(Buffer.from('note.test-a'));
  const recorded = new ReadResp.ReadEvent.RecordedEvent();
  recorded.setStreamIdentifier(identifier);
  recorded.setStreamRevision(String(position));
  recorded.setCommitPosition(String(position));
  recorded.getMetadataMap().set('type', type);
  recorded.setData(Buffer.from(JSON.stringify(data)));
  recorded.setCustomMetadata(Buffer.from(JSON.stringify(metadata)));
  const read = new ReadResp.ReadEvent();
  read.setEvent(recorded);
  const message = new ReadResp();
  message.setEvent(read);
  return message;
}

function checkpointAt(position: number): ReadResp {
  const checkpoint = new ReadResp.Checkpoint();
  checkpoint.setCommitPosition(String(position));
  const message = new ReadResp();
  message.setCheckpoint(checkpoint);
  return message;
}

function caughtUp(): ReadResp {
  const message = new ReadResp();
  message.setCaughtUp(new ReadResp.CaughtUp());
  return message;
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('the log as a subscription brings it', () => {
  let places: Place[];
  let tail: LogTail;
  let calls: { messages: PassThrough; from: string }[];
  let log: SubscribedLog;

  beforeEach(() => {
    places = [{ position: 10, stream: 'note.test-a' }];
    calls = [];
    tail = new LogTail({
      wall: () => 50_000,
      late_ms: 1_000,
      newest: async function* (count) {
        yield* places.slice(-count).reverse();
      },
    });
  });
  afterEach(() => log.stop());

  function open(from: number): SubscribedLog {
    const client = {
      subscribe(request: ReadReq) {
        const messages = new PassThrough({ objectMode: true, highWaterMark: 4 });
        const from_all = request.getOptions()?.getAll()?.getPosition()?.getCommitPosition();
        calls.push({ messages, from: from_all ?? 'start' });
        return Promise.resolve(Object.assign(messages, { cancel: () => messages.destroy() }));
      },
      noted: (error: unknown) => error,
    } as unknown as LogClient;
    log = new SubscribedLog({
      ...{ name: 'test', categories: CATEGORIES, from, queue_max: 8, silent_ms: 60_000 },
      ...{ client, tail, log: quiet, onMore: () => undefined },
    });
    return log;
  }

  const say = (...messages: ReadResp[]): void => {
    for (const message of messages) calls.at(-1)?.messages.write(message);
  };

  it('reads no further than it is read from', async () => {
    open(0);
    await turns(5);
    let written = 0;
    const writer = calls[0]?.messages as PassThrough;
    while (written < 1_000 && writer.write(eventAt(20 + written))) written += 1;
    for (let turn = 0; turn < 50; turn += 1) {
      await turns(2);
      while (written < 1_000 && writer.write(eventAt(20 + written))) written += 1;
    }
    // The queue, and what the two streams between hold.
    expect(written).toBeLessThan(30);
    expect(log.read(CATEGORIES, 0, 1_000, 5).map(({ position }) => position)).toEqual([
      ...['20', '21', '22', '23', '24'],
    ]);
    expect(log.read(CATEGORIES, 24, 1_000, 5).map(({ position }) => position)).toEqual([
      ...['25', '26', '27'],
    ]);
    await turns(5);
    expect(log.read(CATEGORIES, 27, 1_000, 5)).toHaveLength(5);
  });

  it('is as far as the log was when it has caught up', async () => {
    open(0);
    await turns(5);
    expect(log.mark()).toEqual({ position: 0, wall_ms: 0 });
    say(caughtUp());
    await turns(5);
    expect(log.mark()).toEqual({ position: 10, wall_ms: 49_000 });
  });

  it('takes a checkpoint for progress, without a time', async () => {
    open(0);
    await turns(5);
    say(eventAt(5), checkpointAt(8));
    await turns(5);
    expect(log.mark()).toEqual({ position: 8, wall_ms: 0 });
  });

  it('is never past the newest event, though a checkpoint is', async () => {
    open(0);
    await turns(5);
    say(eventAt(5), checkpointAt(12));
    await turns(5);
    expect(log.mark().position).toBe(10);
  });

  it('goes past the events of others once it has the last of its own', async () => {
    open(0);
    await turns(5);
    say(eventAt(10), caughtUp());
    await turns(5);
    places.push({ position: 20, stream: 'note.test-b' }, { position: 30, stream: 'memo.test-c' });
    await tail.refresh();
    log.tailMoved();
    expect(log.mark().position).toBe(10);
    say(eventAt(20));
    await turns(5);
    expect(log.mark()).toEqual({ position: 30, wall_ms: 49_000 });
  });

  it('does not believe a tail that it was not there for', async () => {
    places = [
      { position: 5, stream: 'note.test-a' },
      { position: 10, stream: 'memo.test-b' },
    ];
    await tail.refresh();
    open(3);
    await turns(5);
    places.push({ position: 30, stream: 'memo.test-c' });
    await tail.refresh();
    log.tailMoved();
    expect(log.mark().position).toBe(3);
  });

  it('goes on where it was after the subscription has ended', async () => {
    open(3);
    await turns(5);
    say(eventAt(5), eventAt(7));
    await turns(5);
    calls[0]?.messages.destroy(new Error('meant'));
    while (calls.length < 2) await turns(1);
    say(eventAt(7), eventAt(9));
    await turns(5);
    expect(calls.map(({ from }) => from)).toEqual(['3', '7']);
    expect(log.read(CATEGORIES, 3, 100, 10).map(({ position }) => position)).toEqual([
      ...['5', '7', '9'],
    ]);
  });
});
