/**
 * @landing embedded
 * @runs embedded
 * @program own
 * @needs history
 * @takes minutes
 */
import { hashOf, storedJson, type NewEvent } from '@tender/eventing';
import pg from 'pg';
import { Program } from '../harness/program';
import { Receiver } from '../harness/receiver';
import { BASELINE, previousReleases, Release } from './upgrade/previous-release';
import {
  keysAreWhatTheyWere,
  movedTo,
  operatingWalletIsWatched,
  ownerSignsIn,
  repeatsAreAnsweredAsBefore,
  tradeGoesOn,
} from './upgrade/shop-goes-on';
import { answersOf, everyAnswer, settledAnswers, tradeForTwoHours } from './upgrade/shop-history';

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

/** Version 1 only grows: an answer says what it said before, whatever it has learnt to say beside it. */
const saidBy = (answers: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => {
      const body = JSON.parse(answer.slice(answer.indexOf(' '))) as unknown;
      return [name, { status: answer.slice(0, answer.indexOf(' ')), body }];
    }),
  );

/** A release without signers had no operating wallets; this one opens them when they are first asked for. */
const withoutWallets = (said: ReturnType<typeof saidBy>) =>
  JSON.parse(JSON.stringify(said), (field, value) =>
    field === 'operating_wallet_address' && value === null ? undefined : value,
  ) as ReturnType<typeof saidBy>;

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

/** Operating wallets in the log. */
const openedWallets = (streams: ReadonlyMap<string, readonly NewEvent[]>): string[] =>
  [...streams.values()].flat().flatMap(({ type, data }) =>
    type === 'OperatingWalletOpened' ? (data as { readonly address: string }).address : [],
  );

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
    // A program that stops in order waits for what hangs.
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
      expect(Object.keys(answers).length).toBeGreaterThan(0);
      expect(saidBy(await everyAnswer(history))).toMatchObject(withoutWallets(saidBy(answers)));
      await repeatsAreAnsweredAsBefore(history);
      await keysAreWhatTheyWere(history);
      const kept = await loggedStreams(now.running.postgres.connection_string);
      for (const [stream, events] of streams) {
        expect(kept.get(stream)?.slice(0, events.length)).toEqual(events);
      }
      takeEverything();
      await tradeGoesOn(history, receiver);
      const opened = openedWallets(streams);
      await operatingWalletIsWatched(history, opened);
      await ownerSignsIn(now, history, ENV.PUBLIC_URL);
      // The baseline knows none.
      expect(opened.length > 0).toBe(!commit.startsWith(BASELINE));
      const all = await loggedStreams(now.running.postgres.connection_string);
      expect(all.size).toBeGreaterThan(streams.size - 1);
      expect(brokenChains(all)).toEqual([]);
    } finally {
      await before.kill();
      await now.discard();
      await receiver.close();
    }
  },
);
