import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { DatabaseError, type Client } from 'pg';
import { Unavailable, type StoredEvent, type StreamName } from '@tender/eventing';
import { sampleEvent } from '@tender/eventing/testing';
import type { PendingAppend } from './event-rows';
import { GroupCommit } from './group-commit';
import { CommitterCount } from './committer-count';
import { RecentEvents } from './recent-events';

/** As the driver's own queries are. */
interface AskedQuery {
  readonly values: readonly unknown[];
  readonly callback: (error: Error | undefined, result: object) => void;
}

/** A committer whose statements end when the test says so. */
class ScriptedCommitter {
  readonly statements: { positions: string[]; end: (error?: Error) => void }[] = [];

  query({ values, callback }: AskedQuery): void {
    // A number, or the literal of an array of them.
    const positions = String(values[0]).match(/\d+/g) ?? [];
    const answer = { rowCount: 1, rows: [{ taken: positions.join(',') }] };
    const end = (error?: Error) => callback(error, answer);
    this.statements.push({ positions, end });
  }
}

function underTest(committers_max = 1) {
  const committed: string[] = [];
  const committers: ScriptedCommitter[] = [];
  const lost: Error[] = [];
  const commits = new GroupCommit({
    committers_max,
    queue_max: 100,
    onCommitted: (events) => committed.push(...events.map(({ position }) => position)),
    onLost: (error) => {
      lost.push(error);
      commits.lose(error);
    },
  });
  const open = () =>
    commits.open(1, () => {
      const committer = new ScriptedCommitter();
      committers.push(committer);
      return Promise.resolve(committer as unknown as Client);
    });
  const outcomes: Record<string, string> = {};
  const append = (stream: StreamName, since_ms = 0): void => {
    const event = sampleEvent(stream);
    const asked: PendingAppend = {
      ...{ stream, category: 'note.test', events: [event], first: 0, since_ms, wait_ended: false },
      ...{ data: ['{}'], metadata: ['{}'], position: 0 },
      accepted: (events) => (outcomes[stream] = `at ${events[0]?.position}`),
      refused: () => (outcomes[stream] = 'refused'),
      failed: (error) => (outcomes[stream] = (error as Error).name),
      endWait: () => undefined,
    };
    commits.add(asked);
  };
  return { commits, committed, committers, lost, open, append, outcomes };
}

describe('group commit', () => {
  it('gathers what comes while a batch is under way', async () => {
    const { committers, open, append, committed } = underTest();
    await open();
    append('note.test-a');
    await nextTurn();
    for (const id of ['b', 'c', 'd']) append(`note.test-${id}`);
    await nextTurn();
    expect(committers[0]?.statements.map(({ positions }) => positions)).toEqual([['1']]);
    committers[0]?.statements[0]?.end();
    await nextTurn();
    await nextTurn();
    expect(committers[0]?.statements[1]?.positions).toEqual(['2', '3', '4']);
    expect(committed).toEqual(['1']);
  });

  it('has a stream in one batch at a time', async () => {
    const { committers, open, append } = underTest();
    await open();
    append('note.test-a');
    append('note.test-a');
    append('note.test-b');
    await nextTurn();
    expect(committers[0]?.statements[0]?.positions).toEqual(['1', '2']);
    committers[0]?.statements[0]?.end();
    await nextTurn();
    await nextTurn();
    expect(committers[0]?.statements[1]?.positions).toEqual(['3']);
  });

  it('hands nothing on past a batch without an outcome, however fast the other committer is', async () => {
    const { committers, committed, outcomes, commits } = await withTwoCommitters();
    const [first, second] = committers.map((committer) => committer.statements.at(-1));
    second?.end();
    await nextTurn();
    expect(outcomes['note.test-fast']).toBe('at 34');
    expect(committed).not.toContain('34');
    expect(commits.oldest()).toBe(7);
    first?.end();
    await nextTurn();
    expect(committed.slice(-2)).toEqual(['33', '34']);
  });

  it('runs a failed batch one by one, so that only the guilty one hears of it', async () => {
    const { committers, open, append, outcomes, committed } = underTest();
    await open();
    for (const id of ['a', 'bad', 'c']) append(`note.test-${id}`);
    await nextTurn();
    const refusal = new DatabaseError('invalid input', 1, 'error');
    refusal.code = '22P02';
    committers[0]?.statements[0]?.end(refusal);
    await nextTurn();
    committers[0]?.statements[1]?.end();
    await nextTurn();
    committers[0]?.statements[2]?.end(refusal);
    await nextTurn();
    committers[0]?.statements[3]?.end();
    await nextTurn();
    expect(outcomes).toEqual({
      'note.test-a': 'at 1',
      'note.test-bad': 'error',
      'note.test-c': 'at 3',
    });
    expect(committed).toEqual(['1', '3']);
  });

  it('does not run a batch again that was ended for its time', async () => {
    const { committers, open, append, outcomes, lost } = underTest();
    await open();
    for (const id of ['a', 'b']) append(`note.test-${id}`);
    await nextTurn();
    const late = new DatabaseError('canceling statement due to lock timeout', 1, 'error');
    late.code = '55P03';
    committers[0]?.statements[0]?.end(late);
    await nextTurn();
    expect(outcomes).toEqual({ 'note.test-a': 'Unavailable', 'note.test-b': 'Unavailable' });
    expect([committers[0]?.statements.length, lost]).toEqual([1, []]);
  });

  it('leaves the outcome open when the connection is lost, also for what waits', async () => {
    const { committers, open, append, outcomes, lost, commits, committed } = underTest();
    await open();
    append('note.test-a');
    await nextTurn();
    append('note.test-b');
    committers[0]?.statements[0]?.end(new Error('Connection terminated unexpectedly'));
    await nextTurn();
    expect(lost).toHaveLength(1);
    expect(outcomes).toEqual({ 'note.test-a': 'Unavailable', 'note.test-b': 'Unavailable' });
    expect(committed).toEqual([]);
    expect(() => append('note.test-c')).toThrow(Unavailable);
    expect(commits.isOpen).toBe(false);
  });

  it('refuses when too many wait', async () => {
    const { open, append } = underTest();
    await open();
    for (let n = 0; n < 100; n += 1) append(`note.test-${n}`);
    expect(() => append('note.test-more')).toThrow(Unavailable);
  });
});

/** 32 slow commits make a second committer; then one batch is under way on each. */
async function withTwoCommitters() {
  const test = underTest(2);
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  await test.open();
  for (let n = 1; n <= 32; n += 1) {
    test.append(`note.test-${n}`);
    await nextTurn();
    clock.mockReturnValue(n * 5);
    test.committers[0]?.statements[n - 1]?.end();
    await nextTurn();
  }
  clock.mockRestore();
  test.append('note.test-slow', 7);
  await nextTurn();
  test.append('note.test-fast', 9);
  await nextTurn();
  await nextTurn();
  return test;
}

describe('number of committers', () => {
  const after = (commit_ms: number, events = 1) => {
    const committers = new CommitterCount(4);
    for (let n = 0; n < 32; n += 1) committers.observe(commit_ms, events);
    return committers;
  };

  it('follows the commit latency', () => {
    expect([0.2, 3, 10].map((commit_ms) => after(commit_ms).wanted)).toEqual([1, 2, 4]);
  });

  it('does not take large batches or a busy machine for a slow disk', () => {
    expect(after(5, 200).wanted).toBe(1);
    const busy = after(10);
    busy.observe(0.3, 1);
    expect(busy.wanted).toBe(1);
  });
});

describe('recent events', () => {
  const event = (position: number): StoredEvent => ({
    ...sampleEvent('note.test-a'),
    ...{ stream: position % 2 === 0 ? 'note.test-a' : 'memo.test-a', revision: 0 },
    position: String(position),
  });
  const notes = new Set(['note.test' as const]);

  it('has the newest, and says when some are gone', () => {
    const recent = new RecentEvents(4);
    recent.reset(10);
    for (const position of [12, 13, 16, 18, 20, 22]) recent.push(event(position));
    const read = (after: number, until = 22, limit = 10) =>
      recent.read(notes, after, until, limit)?.map(({ position }) => position) ?? null;
    expect(read(12)).toBeNull();
    expect(read(13)).toEqual(['16', '18', '20', '22']);
    expect(read(17, 20)).toEqual(['18', '20']);
    expect(read(13, 22, 2)).toEqual(['16', '18']);
    expect(read(22)).toEqual([]);
  });

  it('knows of none exactly where there is none to read', () => {
    const step = fc.oneof(
      fc.record({ push: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ release: fc.integer({ min: 0, max: 30 }) }),
    );
    fc.assert(
      fc.property(fc.array(step), fc.nat(30), fc.nat(30), (steps, after, until) => {
        const recent = new RecentEvents(4);
        let end = 0;
        for (const one of steps) {
          if ('release' in one) recent.release(one.release);
          else recent.push(event((end += one.push)));
        }
        const read = recent.read(notes, after, until, 10);
        expect(recent.hasNone(notes, after, until)).toBe(read !== null && read.length === 0);
      }),
    );
  });
});
