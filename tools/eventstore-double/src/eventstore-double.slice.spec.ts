// The official client's own commands against the double: what it is a double of.
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  START,
  streamNameFilter,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { startEventStoreDouble, type EventStoreDouble } from './index';
import { halfSentAppend } from './testing/half-sent-append';

const ROOT = join(__dirname, '..', '..', '..');
const named = (type: string) => jsonEvent({ type, data: { type } });

describe('the event store double', () => {
  let folder: string;
  let double: EventStoreDouble;
  let client: EventStoreDBClient;
  const start = async (): Promise<void> => {
    double = await startEventStoreDouble({ dataDir: folder });
    client = EventStoreDBClient.connectionString(double.connection_string);
  };

  beforeAll(() => {
    const compiler = join(ROOT, 'node_modules', 'typescript7', 'bin', 'tsc');
    execFileSync(process.execPath, [compiler, '-b', 'tools/eventstore-double'], { cwd: ROOT });
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'eventstore-double-'));
    await start();
  });
  afterEach(async () => {
    await client.dispose();
    await double.stop();
    rmSync(folder, { recursive: true });
  });

  const typesOf = async (stream: string): Promise<string[]> => {
    const types: string[] = [];
    for await (const { event } of client.readStream(stream)) types.push(event?.type ?? '');
    return types;
  };

  it('does not hold a secret of its parent', async () => {
    process.env['SOME_TOKEN'] = 'a secret of the operator’s shell';
    try {
      const other = await startEventStoreDouble({ dataDir: join(folder, 'other') });
      const held = readFileSync(`/proc/${other.pid}/environ`, 'utf8');
      await other.stop();
      expect(held).toContain('EVENTSTORE_DOUBLE_DATA_DIR=');
      expect(held).not.toContain('SOME_TOKEN');
    } finally {
      delete process.env['SOME_TOKEN'];
    }
  });

  it('appends once what is sent twice, and refuses a stale revision', async () => {
    const events = [named('A'), named('B')];
    const first = await client.appendToStream('note-1', events, { expectedRevision: NO_STREAM });
    const more = [named('C')];
    await client.appendToStream('note-1', more, { expectedRevision: 1n });
    const again = await client.appendToStream('note-1', events, { expectedRevision: NO_STREAM });
    expect(again).toEqual(first);
    await expect(
      client.appendToStream('note-1', [named('D')], { expectedRevision: 1n }),
    ).rejects.toThrow(WrongExpectedVersionError);
    await expect(
      client.appendToStream('note-1', [events[0]!, named('D')], { expectedRevision: NO_STREAM }),
    ).rejects.toThrow(WrongExpectedVersionError);
    await expect(client.appendToStream('note-1', more)).rejects.toThrow('expected revision');
    expect(await typesOf('note-1')).toEqual(['A', 'B', 'C']);
    await expect(typesOf('note-2')).rejects.toThrow('not found');
  });

  it('reads everything in both directions, from positions that are not dense', async () => {
    for (const name of ['a', 'b', 'c', 'd']) {
      await client.appendToStream(`note-${name}`, named(name), { expectedRevision: NO_STREAM });
    }
    const read = async (options: Parameters<typeof client.readAll>[0]) => {
      const found: { type: string; position: bigint }[] = [];
      for await (const { event } of client.readAll(options)) {
        if (event) found.push({ type: event.type, position: event.position.commit });
      }
      return found;
    };
    const all = await read({ fromPosition: START });
    expect(all.map(({ type }) => type)).toEqual(['a', 'b', 'c', 'd']);
    expect(all[1]!.position - all[0]!.position).toBeGreaterThan(100n);
    const back = await read({ fromPosition: END, direction: BACKWARDS, maxCount: 2 });
    expect(back.map(({ type }) => type)).toEqual(['d', 'c']);
    const commit = all[1]!.position;
    const fromSecond = await read({ fromPosition: { commit, prepare: commit } });
    expect(fromSecond.map(({ type }) => type)).toEqual(['b', 'c', 'd']);
  });

  it('sends a subscription what it filters for, checkpoints, and that it has caught up', async () => {
    const said: string[] = [];
    for (const name of ['note-1', 'memo-1', 'memo-2', 'memo-3']) {
      await client.appendToStream(name, named(name), { expectedRevision: NO_STREAM });
    }
    const subscription = client.subscribeToAll({
      fromPosition: START,
      filter: streamNameFilter({
        ...{ prefixes: ['note-'], maxSearchWindow: 2, checkpointInterval: 1 },
        checkpointReached: () => void said.push('checkpoint'),
      }),
    });
    subscription.on('confirmation', () => said.push('confirmed'));
    subscription.on('caughtUp', () => said.push('caught up'));
    subscription.on('data', ({ event }) => said.push(event?.type ?? ''));
    while (!said.includes('caught up')) await pause(5);
    await client.appendToStream('note-2', named('note-2'), { expectedRevision: NO_STREAM });
    while (!said.includes('note-2')) await pause(5);
    expect([...said].sort()).toEqual(
      ['confirmed', 'note-1', 'checkpoint', 'checkpoint', 'caught up', 'note-2'].sort(),
    );
    await subscription.unsubscribe();
  });

  it('cuts off what was torn, and goes on after it on the same port', async () => {
    await client.appendToStream('note-1', named('A'), { expectedRevision: NO_STREAM });
    await double.kill();
    const path = join(folder, 'events.log');
    const whole = statSync(path).size;
    appendFileSync(path, Buffer.from([0, 0, 1, 0, 9, 9, 9, 9, 123, 34]));
    const before = double.connection_string;
    await start();
    expect(double.connection_string).toBe(before);
    expect(statSync(path).size).toBe(whole);
    await client.appendToStream('note-1', named('B'), { expectedRevision: 0n });
    await double.kill();
    await start();
    expect(await typesOf('note-1')).toEqual(['A', 'B']);
  });

  it('keeps all events of an append or none', async () => {
    await client.appendToStream('note-1', named('A'), { expectedRevision: NO_STREAM });
    const path = join(folder, 'events.log');
    const one = statSync(path).size;
    await client.appendToStream('note-1', [named('B'), named('C')], { expectedRevision: 0n });
    await double.kill();
    // The second event of the last append is cut short.
    truncateSync(path, statSync(path).size - 3);
    await start();
    expect(await typesOf('note-1')).toEqual(['A']);
    expect(statSync(path).size).toBe(one);
  });

  it('takes nothing of an append whose caller dies while it sends', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => halfSentAppend(double.connection_string, `note-${n}`)),
    );
    await client.appendToStream('note-20', named('A'), { expectedRevision: NO_STREAM });
    const found: string[] = [];
    for await (const { event } of client.readAll({ fromPosition: START })) {
      found.push(event?.streamId ?? '');
    }
    expect(found).toEqual(['note-20']);
  });

  it('ends when its parent is killed', async () => {
    const script = `
      const { startEventStoreDouble } = require(${JSON.stringify(join(__dirname, '..', 'dist'))});
      startEventStoreDouble({ dataDir: ${JSON.stringify(join(folder, 'other'))} })
        .then((child) => process.stdout.write(child.pid + '\\n'));`;
    const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
    const parent = spawn(process.execPath, ['-e', script], { stdio });
    const pid = await new Promise<number>((resolve) => {
      parent.stdout.once('data', (data: Buffer) => resolve(Number(data.toString())));
    });
    parent.kill('SIGKILL');
    for (let alive = true; alive; await pause(10)) {
      try {
        process.kill(pid, 0);
      } catch {
        alive = false;
      }
    }
  });
});
