import { projectionFollower, Unavailable, type Projection, type Runtime } from '@tender/eventing';
import { MODES, type Mode } from '@tender/kernel';
import { CHARGED } from './all-charged';
import type { ChargedPart } from './charged';

const SCHEMA = 'billing';
const CHARGES = 'billing.charges@1';
/** No client waits for this, and a table that is far behind holds up no other event for long. */
const WAIT_MS_MAX = 5_000;

/** A link, and what it is to pay. */
export interface ChargeRow extends ChargedPart {
  readonly noun: string;
}

const addTo = (table: string): string => `insert into ${table} (id, noun, object_id, part)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::integer[])
  on conflict (id) do nothing`;

const SELECT = 'select id as payment_link_id, noun, object_id, part from billing.charges';

/** Which link pays which period, installment or invoice. A payment’s metadata is not asked: it may say anything. */
export const charges: Projection = {
  name: CHARGES,
  nouns: CHARGED.map(({ noun }) => noun),
  modes: MODES,
  table: 'billing.charges',
  async apply(events, tx, table) {
    const rows = events.flatMap((event) =>
      CHARGED.flatMap(({ noun, partOf }) => {
        const part = partOf(event);
        return part === null ? [] : { ...part, noun };
      }),
    );
    if (rows.length === 0) return;
    await tx.query(addTo(table), [
      rows.map(({ payment_link_id }) => payment_link_id),
      rows.map(({ noun }) => noun),
      rows.map(({ object_id }) => object_id),
      rows.map(({ part }) => part),
    ]);
  },
};

type Reading = Pick<Runtime, 'eventStore' | 'readModels'>;

/** What these links are to pay. One that has no row is not billing’s. Throws `Unavailable` while rows are behind. */
export async function chargesOfLinks(
  runtime: Reading,
  mode: Mode,
  payment_link_ids: readonly string[],
): Promise<ReadonlyMap<string, ChargeRow>> {
  const find = () =>
    runtime.readModels.query<ChargeRow>(`${SELECT} where id = any($1)`, [payment_link_ids]);
  let rows = await find();
  if (rows.length < payment_link_ids.length) {
    await caughtUp(runtime, mode);
    rows = await find();
  }
  return new Map(rows.map((row) => [row.payment_link_id, row]));
}

/** Every link of a part of an object, from those of the log by now. Throws `Unavailable` while rows are behind. */
export async function linksOfPart(
  runtime: Reading,
  mode: Mode,
  { object_id, part }: Pick<ChargedPart, 'object_id' | 'part'>,
): Promise<readonly string[]> {
  await caughtUp(runtime, mode);
  const rows = await runtime.readModels.query<ChargeRow>(
    `${SELECT} where object_id = $1 and part = $2 order by id`,
    [object_id, part],
  );
  return rows.map(({ payment_link_id }) => payment_link_id);
}

async function caughtUp({ eventStore, readModels }: Reading, mode: Mode): Promise<void> {
  const newest = await eventStore.newest();
  if (newest === null) return;
  const follower = projectionFollower(CHARGES, mode);
  const is_fresh = await readModels.waitFor(SCHEMA, follower, newest, WAIT_MS_MAX);
  if (!is_fresh) throw new Unavailable('billing.charges', { reason: 'its rows are behind the log' });
}
