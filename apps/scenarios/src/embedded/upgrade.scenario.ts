import { hashOf, storedJson, type NewEvent } from '@tender/eventing';
import pg from 'pg';
import { eventually } from '../eventually';
import { Program } from '../program';
import { Receiver, signedWith } from '../receiver';
import { previousReleases, Release } from './upgrade/previous-release';
import {
  again,
  answersOf,
  deliveriesOf,
  everyAnswer,
  settledAnswers,
  tradeForTwoHours,
  type ShopHistory,
} from './upgrade/shop-history';

/** Links in answers must not name the port of a run. */
const ENV = { PUBLIC_URL: 'http://shop.tender.test' };

afterAll(() => {
  for (const release of built.values()) release.remove();
});

/** Every stream's events, oldest first, read past the program. */
async function loggedStreams(connection_string: string): Promise<Map<string, NewEvent[]>> {
  const sql = new pg.Client({ connectionString: connection_string });
  await sql.connect();
  try {
    const { rows } = await sql.query<Record<'stream' | 'type' | 'data' | 'metadata', string>>(
      'select stream, type, data::text, metadata::text from log.events order by stream, revision',
    );
    const streams = new Map<string, NewEvent[]>();
    for (const { stream, type, data, metadata } of rows) {
      const event = { type, data: storedJson(data), metadata: storedJson(metadata) } as NewEvent;
      streams.set(stream, [...(streams.get(stream) ?? []), event]);
    }
    return streams;
  } finally {
    await sql.end();
  }
}

/** Streams whose events do not name the hash of the one before. */
function brokenChains(streams: ReadonlyMap<string, readonly NewEvent[]>): string[] {
  return [...streams]
    .filter(([, events]) =>
      events.some(({ metadata }, revision) => {
        const before = events[revision - 1];
        return metadata.prev_hash !== (before ? hashOf(before) : null);
      }),
    )
    .map(([stream]) => stream);
}

async function repeatsAreAnsweredAsBefore({ keyed }: ShopHistory): Promise<void> {
  for (const request of keyed) {
    const { status, text, headers } = await again(request);
    expect([request.path, status, text]).toEqual([
      request.path,
      request.answer.status,
      request.answer.text,
    ]);
    expect(headers['idempotency-replayed']).toBe('true');
  }
}

async function keysAreWhatTheyWere({ old_key, new_key }: ShopHistory): Promise<void> {
  expect((await old_key.get('/api/v1/keys')).status).toBe(401);
  expect((await new_key.get('/api/v1/keys')).status).toBe(200);
}

async function tradeGoesOn(history: ShopHistory, receiver: Receiver): Promise<void> {
  const { api, payments, secrets } = history;
  const paid = await api.post('/api/v1/test_helpers/pay', { payment_id: payments.pending });
  expect(paid.status).toBe(200);
  const payment = await eventually(
    () => api.get(`/api/v1/payments/${payments.pending}`),
    ({ json }) => json.status === 'confirmed',
  );
  expect(payment.json.transaction_signature).toBe(paid.json.signature);
  const confirmed = () =>
    receiver
      .events('PaymentConfirmed')
      .find(({ json, path }) => path === '/ok' && json.payment.id === payments.pending);
  await receiver.until(() => confirmed() !== undefined);
  // The secret that was replaced before the upgrade goes on co-signing for its day.
  for (const secret of secrets) expect(signedWith(secret, confirmed() as never)).toBe(true);

  const deliveries = async (payment_id: string) =>
    deliveriesOf((await api.get('/api/v1/webhooks?limit=100')).json, payment_id);
  await api.post('/api/v1/test_helpers/clock/advance', { seconds: 700 });
  for (const late of [payments.failing, payments.under_way]) {
    const delivered = await eventually(
      () => deliveries(late),
      (all) => all.every(({ status }) => status === 'delivered'),
      60_000,
    );
    expect(delivered.length).toBeGreaterThan(0);
  }
  const [given_up] = await deliveries(payments.expired);
  expect(given_up?.status).toBe('exhausted');
  const retried = await api.post(`/api/v1/webhooks/${given_up?.id}/retry`);
  expect([retried.status, retried.json.status]).toEqual([200, 'delivered']);
}

/** A tree without the history has no previous release: the tests below fail with what is missing. */
function commits(): readonly string[] {
  try {
    return previousReleases();
  } catch {
    return ['the history'];
  }
}

const upgrades = commits().flatMap((commit, index) => [
  [commit.slice(0, 7), 'is killed', commit] as const,
  ...(index === 0 ? [[commit.slice(0, 7), 'stops in order', commit] as const] : []),
]);
const built = new Map<string, Release>();

test.each(upgrades)(
  'the data folder of %s, which %s, keeps everything and goes on',
  async (_, end, commit) => {
    previousReleases();
    const release = built.get(commit) ?? Release.build(commit);
    built.set(commit, release);
    const receiver = await Receiver.start();
    const takeEverything = answersOf(receiver);
    // A program that is told to stop waits for what hangs.
    const last_webhook = end === 'is killed' ? 'hanging' : 'failing';
    const before = new Program(ENV, undefined, release.main);
    const now = new Program(ENV, before.data_dir);
    try {
      await before.start();
      const recorded = await tradeForTwoHours(before, receiver, last_webhook);
      const answers = await settledAnswers(recorded);
      const streams = await loggedStreams(before.running.postgres.connection_string);
      if (end === 'is killed') await before.kill();
      else expect(await before.stop()).toBe(0);

      await now.start();
      const history = movedTo(now, recorded);
      expect(await everyAnswer(history)).toEqual(answers);
      await repeatsAreAnsweredAsBefore(history);
      await keysAreWhatTheyWere(history);
      const kept = await loggedStreams(now.running.postgres.connection_string);
      for (const [stream, events] of streams) {
        expect(kept.get(stream)?.slice(0, events.length)).toEqual(events);
      }
      takeEverything();
      await tradeGoesOn(history, receiver);
      const all = await loggedStreams(now.running.postgres.connection_string);
      expect(all.size).toBeGreaterThan(streams.size - 1);
      expect(brokenChains(all)).toEqual([]);
    } finally {
      await before.kill();
      await now.discard();
      await receiver.close();
    }
  },
  120_000,
);

/** The same keys, sent to the program that runs now. */
function movedTo(program: Program, history: ShopHistory): ShopHistory {
  const moved = (client: ShopHistory['api']) => program.client(client.key);
  return {
    ...history,
    api: moved(history.api),
    live: moved(history.live),
    old_key: moved(history.old_key),
    new_key: moved(history.new_key),
    keyed: history.keyed.map((request) => ({ ...request, api: moved(request.api) })),
  };
}
