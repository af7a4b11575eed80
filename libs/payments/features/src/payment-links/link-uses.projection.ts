import { ownEvents, projectionFollower, type Projection, type Runtime } from '@tender/eventing';
import { MODES, type Mode } from '@tender/kernel';
import type { PaymentEvent } from '@tender/payments-domain';

const SCHEMA = 'payments';
const LINK_USES = 'payments.link-uses@1';

const addTo = (table: string): string => `insert into ${table} as kept (id, uses)
  select * from unnest($1::text[], $2::bigint[])
  on conflict (id) do update set uses = kept.uses + excluded.uses`;

/** By how much an event changes the payments of a link that are pending or confirmed. */
const CHANGE: Readonly<Partial<Record<PaymentEvent['type'], number>>> = {
  PaymentCreated: 1,
  PaymentExpired: -1,
  PaymentFailed: -1,
};

/**
 * How many payments of each link are pending or confirmed. A link without `max_uses` is counted nowhere else: paying
 * by it writes nothing to its stream.
 */
export const linkUses: Projection = {
  name: LINK_USES,
  nouns: ['payment'],
  modes: MODES,
  table: 'payments.link_uses',
  async apply(events, tx, table) {
    const changes = new Map<string, number>();
    for (const { type, data } of ownEvents<PaymentEvent>(events)) {
      const change = CHANGE[type];
      const id = data.terms.link?.payment_link_id;
      if (change && id) changes.set(id, (changes.get(id) ?? 0) + change);
    }
    if (changes.size === 0) return;
    await tx.query(addTo(table), [[...changes.keys()], [...changes.values()]]);
  },
};

/** Waits until what is in the log by now is counted, for `wait_ms` at most. */
export async function countLinkUses(
  { eventStore, readModels }: Pick<Runtime, 'eventStore' | 'readModels'>,
  mode: Mode,
  payment_link_id: string,
  wait_ms: number,
): Promise<number> {
  const newest = await eventStore.newest();
  if (newest !== null) {
    await readModels.waitFor(SCHEMA, projectionFollower(LINK_USES, mode), newest, wait_ms);
  }
  const [row] = await readModels.query<{ uses: number }>(
    'select uses::float8 as uses from payments.link_uses where id = $1',
    [payment_link_id],
  );
  return row?.uses ?? 0;
}
