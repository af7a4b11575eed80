import {
  projectionFollower,
  rowSource,
  type Projection,
  type Runtime,
  type StoredEvent,
} from '@tender/eventing';
import { MODES, type Mode } from '@tender/kernel';
import { isOfSettlement, settlementAfter, type SettlementEvent } from '@tender/payments-domain';
import type { SettlementRow } from './render-settlement';

const SCHEMA = 'payments';
const NAME = 'payments.settlements@1';
/** No event is held up longer by a table that is behind. */
const WAIT_MS_MAX = 5_000;

const ROWS = rowSource({
  id: 'text',
  state: 'json',
  merchant_id: 'text',
  mode: 'text',
  payment_id: 'text',
  status: 'text',
  created_at: 'text',
  completed_at: 'text',
});

/** When a settlement was first requested stays, whatever follows. */
const put = (table: string): string => `insert into ${table} as kept (${ROWS.columns})
  select * from ${ROWS.sql}
  on conflict (id) do update set (state, status, completed_at) =
    (excluded.state, excluded.status, excluded.completed_at)`;

interface Fresh {
  readonly id: string;
  /** JSON text. */
  readonly state: string;
  readonly merchant_id: string;
  readonly mode: string;
  readonly payment_id: string;
  readonly status: string;
  readonly created_at: string;
  readonly completed_at: string | null;
}

/** Every settlement: also of payments straight to the merchant’s wallet, which are settled when they are confirmed. */
export const settlements = {
  name: NAME,
  nouns: ['payment'],
  modes: MODES,
  table: 'payments.settlements',
  schema: SCHEMA,
  follower: (mode: string) => projectionFollower(NAME, mode as Mode),
  async apply(events, tx, table) {
    const rows = new Map<string, Fresh>();
    for (const event of events) {
      if (!isOfSettlement(event)) continue;
      const row = freshRow(event as StoredEvent & SettlementEvent);
      const { created_at } = rows.get(row.id) ?? row;
      rows.set(row.id, { ...row, created_at });
    }
    if (rows.size === 0) return;
    await tx.query(put(table), ROWS.valuesOf([...rows.values()]));
  },
} satisfies Projection & { schema: string; follower: (mode: string) => string };

function freshRow(event: StoredEvent & SettlementEvent): Fresh {
  const { terms } = event.data;
  const settlement = settlementAfter(event);
  const { occurred_at } = event.metadata;
  const { settlement_id: id, status } = settlement;
  const state: Pick<SettlementRow, 'settlement' | 'terms'> = { settlement, terms };
  return {
    ...{ id, status, state: JSON.stringify(state) },
    merchant_id: terms.merchant_id,
    mode: terms.mode,
    payment_id: terms.payment_id,
    created_at: occurred_at,
    completed_at: status === 'completed' ? occurred_at : null,
  };
}

export const SETTLEMENT_COLUMNS = `state->'settlement' as settlement, state->'terms' as terms,
  created_at, completed_at`;
const FIND = `select ${SETTLEMENT_COLUMNS} from payments.settlements where id = $1 and mode = $2`;

/** Looked for again once all that is in the log is in the table. Null: there is none of that id in the mode. */
export async function findSettlement(
  { eventStore, readModels }: Pick<Runtime, 'eventStore' | 'readModels'>,
  mode: Mode,
  id: string,
): Promise<SettlementRow | null> {
  const find = () => readModels.query<SettlementRow>(FIND, [id, mode]);
  const [row] = await find();
  if (row) return row;
  const newest = await eventStore.newest();
  if (newest === null) return null;
  await readModels.waitFor(SCHEMA, settlements.follower(mode), newest, WAIT_MS_MAX);
  const [late] = await find();
  return late ?? null;
}
