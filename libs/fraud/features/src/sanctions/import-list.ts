import { rowSource, type Position, type Runtime } from '@tender/eventing';
import { isoTime } from '@tender/kernel';
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
  on conflict do nothing`;
/** A slow replica may still be reading the list before. */
const FORGET = 'delete from fraud.sanctioned_wallets where not (list_id = any($1))';

type Importing = Pick<Runtime, 'eventStore' | 'readModels' | 'clock' | 'random'>;

/**
 * Takes a list over: its wallets are staged in the table that all replicas read, and count from the one append that
 * names them. Whatever fails before it changes nothing. Only one process imports at a time.
 */
export async function importList(
  runtime: Importing,
  source: ListSource,
): Promise<{ readonly list: ImportedList; readonly position: Position | null }> {
  const { readModels, random } = runtime;
  const before = await currentList(runtime);
  const staged_id = random.uuid();
  try {
    const { sha256, issued_on } = await readList(source.chunks, async (found) => {
      const rows = found.map((wallet) => ({ list_id: staged_id, wallet }));
      await readModels.query(STAGE, ROWS.valuesOf(rows));
    });
    const wallets = await countOf(runtime, staged_id);
    if (wallets === 0) throw new BrokenList('the list names no address');
    const is_known = before?.sha256 === sha256;
    const list_id = is_known ? before.list_id : staged_id;
    const list: ImportedList = { list_id, sha256, issued_on, as_of: source.as_of, wallets };
    const position = await tell(runtime, list);
    await readModels.query(FORGET, [[list_id, before?.list_id ?? list_id]]);
    return { list, position };
  } catch (error) {
    await readModels
      .query('delete from fraud.sanctioned_wallets where list_id = $1', [staged_id])
      .catch(() => undefined);
    throw error;
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

async function tell(runtime: Importing, list: ImportedList): Promise<Position | null> {
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
  return handled.ok ? handled.position : null;
}
