import { rowSource, type Position, type Runtime } from '@tender/eventing';
import { invariant, isoTime } from '@tender/kernel';
import type { ImportedList } from '@tender/fraud-domain';
import { BrokenList, readList } from './read-list';
import { sanctions, THE_LIST } from './sanctions.aggregate';

/** A list as it comes, and the newest moment (wall time) at which it was the newest that its place had. */
export interface ListSource {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly as_of: string;
}

const ROWS = rowSource({ list_id: 'text', wallet: 'text' });
const STAGE = `insert into fraud.sanctioned_wallets (${ROWS.columns}) select * from ${ROWS.sql}
  on conflict do nothing returning 1`;
/** A slow replica may still be reading the list before. */
const FORGET = 'delete from fraud.sanctioned_wallets where not (list_id = any($1))';

/** To which list a screening was held can be told of lists of before, too: there is one row for each. */
const NAME = `insert into fraud.sanctions_lists (list_id, sha256, issued_on) values ($1, $2, $3)
  on conflict do nothing`;
const LEAVE = `with left_out as (delete from fraud.sanctions_lists where list_id = $1::uuid)
  delete from fraud.sanctioned_wallets where list_id = $1::text`;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The list that counts, and of what was read its SHA-256. */
interface Imported {
  readonly list: ImportedList;
  readonly position: Position | null;
  readonly read_sha256: string;
}

type Importing = Pick<Runtime, 'eventStore' | 'readModels' | 'clock' | 'random'>;

/**
 * Takes a list over: its wallets are staged in the table that all replicas read, and count from the one append that
 * names them. Whatever fails before it changes nothing. One process imports at a time; where two do for a while, since
 * one that led before has not noticed, the list that counts stays whole. Answers the list that counts then.
 */
export async function importList(
  runtime: Importing,
  source: ListSource,
): Promise<Imported> {
  const { readModels, random } = runtime;
  const before = await currentList(runtime);
  const staged_id = random.uuid();
  try {
    let staged = 0;
    const { sha256, issued_on } = await readList(source.chunks, async (found) => {
      const rows = found.map((wallet) => ({ list_id: staged_id, wallet }));
      staged += (await readModels.query(STAGE, ROWS.valuesOf(rows))).length;
    });
    const wallets = await countOf(runtime, staged_id);
    if (wallets === 0) throw new BrokenList('the list names no address');
    if (wallets !== staged) throw new BrokenList('another import has taken its place');
    mustHaveCome(issued_on, runtime.clock.wall());
    const is_known =
      before?.sha256 === sha256 && (await countOf(runtime, before.list_id)) === wallets;
    const list_id = is_known ? before.list_id : staged_id;
    await readModels.query(NAME, [list_id, sha256, issued_on]);
    const told = await tell(runtime, { list_id, sha256, issued_on, as_of: source.as_of, wallets });
    await readModels.query(FORGET, [[told.list.list_id, before?.list_id ?? list_id]]);
    return { ...told, read_sha256: sha256 };
  } catch (error) {
    await readModels.query(LEAVE, [staged_id]).catch(() => undefined);
    throw error;
  }
}

/** The list in force was the newest at a later moment, too. False: it is another one, or not in its table, whole. */
export async function confirmList(
  runtime: Importing,
  sha256: string,
  as_of: string,
): Promise<boolean> {
  const list = await currentList(runtime);
  if (list?.sha256 !== sha256) return false;
  if ((await countOf(runtime, list.list_id)) !== list.wallets) return false;
  await tell(runtime, { ...list, as_of });
  return true;
}

/** No list could ever take the place of one that is dated years ahead. Publishers’ days begin before ours. */
function mustHaveCome(issued_on: string, wall_ms: number): void {
  if (issued_on > isoTime(wall_ms + DAY_MS).slice(0, 'YYYY-MM-DD'.length)) {
    throw new BrokenList(`the list is dated ${issued_on}, which is still to come`);
  }
}

/** The list that counts, from the log. */
export async function currentList({
  eventStore,
}: Pick<Runtime, 'eventStore'>): Promise<ImportedList | null> {
  return (await sanctions.load({ eventStore }, 'all', THE_LIST))?.list ?? null;
}

async function countOf({ readModels }: Importing, list_id: string): Promise<number> {
  const [row] = await readModels.query<{ wallets: number }>(
    'select count(*)::float8 as wallets from fraud.sanctioned_wallets where list_id = $1',
    [list_id],
  );
  return row?.wallets ?? 0;
}

async function tell(runtime: Importing, list: ImportedList) {
  const { clock, random } = runtime;
  const handled = await sanctions.handle(
    runtime,
    'all',
    THE_LIST,
    { type: 'ImportList', list },
    {
      command_id: `${list.sha256}|${list.as_of}|${isoTime(clock.wall())}`,
      ...{ body_hash: null, merchant_id: null, actor: 'system:fraud.import-list' },
      ...{ correlation_id: random.uuid(), causation_id: null },
    },
  );
  if (!handled.ok) {
    const kept = (await currentList(runtime))?.issued_on;
    throw new BrokenList(`the list is of ${list.issued_on}, older than the one in force, of ${kept}`);
  }
  // A newer one may count by now.
  invariant(handled.state.list, 'a list counts once one was told');
  return { list: handled.state.list, position: handled.position };
}
