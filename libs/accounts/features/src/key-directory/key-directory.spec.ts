import type { MerchantEvent } from '@tender/accounts-domain';
import { fixedClock, memoryEventStore, seededRandom, silentLog } from '@tender/adapter-memory';
import type { EventStore, Follower, NewEvent, Runtime } from '@tender/eventing';
import history from '../../../domain/src/recorded/merchant-v1.json';
import { merchant } from '../merchant-details/merchant.aggregate';
import { openKeyDirectory } from './key-directory';

const [registered, created, rotated] = history as readonly unknown[] as readonly MerchantEvent[];
const MERCHANT_ID = '8d8e8f90-9192-8394-9596-979899a0a1a2';
const ROW = { id: 'key_0000000000000000000001', mode: 'test', merchant_id: MERCHANT_ID, state: null };
const stream = merchant.stream('all', MERCHANT_ID);

/** A directory over a key table that answers when, and with what, the test says. */
function directoryOver(findKey: () => Promise<object[]>) {
  const eventStore = memoryEventStore();
  const followers: Follower[] = [];
  const follow: EventStore['follow'] = (options) => {
    const follower = eventStore.follow(options);
    followers.push(follower);
    return follower;
  };
  const random = seededRandom();
  let looked_up = 0;
  const runtime = {
    eventStore: { ...eventStore, follow },
    readModels: {
      query: async (text: string) => {
        if (!text.includes('api_keys')) return [];
        looked_up += 1;
        return findKey();
      },
    },
    keyRing: { openPersonal: async () => 'Corner Shop' },
    clock: fixedClock(),
    log: silentLog,
  } as unknown as Runtime;
  return {
    directory: openKeyDirectory(runtime, { alone: true }),
    lookedUp: () => looked_up,
    /** What was appended has reached the directory. */
    heard: () => Promise.all(followers.map((follower) => follower.idle())),
    async append(revision: number, ...events: (MerchantEvent | undefined)[]) {
      const stamped = events.map((event) => ({ ...event, metadata: { id: random.uuid() } }));
      await eventStore.append(
        stream,
        stamped as unknown as NewEvent[],
        revision < 0 ? 'no_stream' : revision,
      );
    },
    close: () => eventStore.close(),
  };
}

test('a key in use costs one look-up', async () => {
  const { directory, lookedUp, append, close } = directoryOver(async () => [ROW]);
  await append(-1, registered, created);
  expect(directory.remembers('11')).toBe(false);
  const holder = await directory.authenticate('11');
  expect([directory.remembers('11'), directory.remembers('12')]).toEqual([true, false]);
  expect(holder).toMatchObject({ merchant_id: MERCHANT_ID, merchant_name: 'Corner Shop' });
  expect(await directory.authenticate('11')).toBe(holder);
  expect(lookedUp()).toBe(1);
  await close();
});

test('a look-up that a rotation overtakes does not bring the old key back', async () => {
  let answerNow: (rows: object[]) => void = () => undefined;
  const slow = new Promise<object[]>((resolve) => (answerNow = resolve));
  const { directory, lookedUp, heard, append, close } = directoryOver(() => slow);
  await append(-1, registered, created);
  const overtaken = directory.authenticate('11');
  while (lookedUp() === 0) await new Promise((resolve) => setImmediate(resolve));
  await append(1, rotated);
  await heard();
  // The table is behind the directory: both the running look-up and the next one see the old row.
  answerNow([ROW]);
  expect(await overtaken).toBeNull();
  expect(directory.remembers('11')).toBe(false);
  expect(await directory.authenticate('11')).toBeNull();
  await close();
});

test('a directory that starts behind the log knows what was rotated before it answers', async () => {
  const { directory, append, close } = directoryOver(async () => [ROW]);
  await append(-1, registered, created, rotated);
  expect(await directory.authenticate('11')).toBeNull();
  await close();
});
