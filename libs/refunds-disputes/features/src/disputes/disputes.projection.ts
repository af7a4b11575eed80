import { ownEvent, projectionFollower, type Projection, type StreamMode } from '@tender/eventing';
import { MODES } from '@tender/kernel';
import {
  disputeAfter,
  type Dispute,
  type DisputeEvent,
  type PaymentCaseEvent,
} from '@tender/refunds-disputes-domain';

const NAME = 'refunds_disputes.disputes@1';
const SCHEMA = 'refunds_disputes';

/** Where disputes are looked for. */
export const DISPUTES = {
  schema: SCHEMA,
  table: `${SCHEMA}.disputes`,
  follower: (mode: StreamMode): string => projectionFollower(NAME, mode),
} as const;

const isOfDispute = (event: PaymentCaseEvent): event is DisputeEvent =>
  event.type === 'DisputeOpened' ||
  event.type === 'DisputeResponded' ||
  event.type === 'DisputeResolved';

const put = (table: string): string => `insert into ${table}
    (id, state, position, merchant_id, mode, payment_id, status, dispute_type, created_at)
  select id, state, position, merchant_id, mode, payment_id, status, dispute_type, created_at
    from json_to_recordset($1::json) as told
    (id text, state json, position text, merchant_id text, mode text, payment_id text, status text,
     dispute_type text, created_at text)
  on conflict (id) do update set state = excluded.state, position = excluded.position,
    status = excluded.status`;

/** Each dispute as it is after its newest event, which tells all of it. */
export const disputes: Projection = {
  name: NAME,
  nouns: ['case'],
  modes: MODES,
  table: DISPUTES.table,
  async apply(events, tx, table) {
    const rows = new Map<string, object>();
    for (const stored of events) {
      const event = ownEvent<PaymentCaseEvent>(stored);
      if (!isOfDispute(event)) continue;
      const state = disputeAfter(event);
      rows.set(state.terms.dispute_id, rowOf(state, stored.position));
    }
    if (rows.size > 0) await tx.query(put(table), [JSON.stringify([...rows.values()])]);
  },
};

function rowOf(state: Dispute, position: string): object {
  const { dispute_id, merchant_id, mode, payment_id, dispute_type, opened_at } = state.terms;
  return {
    ...{ id: dispute_id, state, position, merchant_id, mode, payment_id },
    ...{ status: state.status, dispute_type, created_at: opened_at },
  };
}
