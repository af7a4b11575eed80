/** What is counted, timed or watched. Labels are bounded: never a merchant, an object or a URL. */
interface Instrument {
  readonly kind: 'counter' | 'histogram' | 'gauge';
  readonly labels: readonly string[];
  readonly says: string;
}

/**
 * Everything that the program measures of itself. `deploy/` draws and alerts on these names, and a test holds
 * the two together. Histograms are in seconds.
 */
export const INSTRUMENTS = {
  // First, because others ask the database at a scrape: their own questions would be counted.
  tender_read_model_connections: {
    kind: 'gauge',
    labels: ['state'],
    says: 'Database connections that are busy or idle, and work that waits for one',
  },
  tender_event_loop_delay_seconds: {
    kind: 'gauge',
    labels: ['quantile'],
    says: 'How late the event loop was since the last scrape: p50, p99, max',
  },
  tender_memory_bytes: {
    kind: 'gauge',
    labels: ['kind'],
    says: 'rss, heap_used, heap_total, external',
  },
  tender_open_handles: {
    kind: 'gauge',
    labels: [],
    says: 'Sockets, timers and requests that keep the process alive',
  },
  tender_http_request_seconds: {
    kind: 'histogram',
    labels: ['route', 'method', 'status'],
    says: 'Requests, from their first hook until the answer has left: 2xx … 5xx, or aborted by the client',
  },
  tender_http_requests_in_flight: {
    kind: 'gauge',
    labels: [],
    says: 'Requests that have no answer yet',
  },
  tender_rate_limit_decisions_total: {
    kind: 'counter',
    labels: ['category', 'decision'],
    says: 'Requests that were admitted or refused, by the limit that decided',
  },
  tender_idempotency_replays_total: {
    kind: 'counter',
    labels: ['route'],
    says: 'Requests that were answered as the first time',
  },
  tender_call_seconds: {
    kind: 'histogram',
    labels: ['call', 'outcome'],
    says: 'Typed questions between contexts: answered or failed',
  },
  tender_append_seconds: {
    kind: 'histogram',
    labels: ['noun', 'outcome'],
    says: 'Appends to the log: appended, stale (decided again) or failed (outcome unknown)',
  },
  tender_follower_lag_seconds: {
    kind: 'gauge',
    labels: ['follower', 'mode'],
    says: 'Age of the oldest event that a projection, consumer or relay has not handled; 0 when caught up',
  },
  tender_follower_events_total: {
    kind: 'counter',
    labels: ['follower', 'mode'],
    says: 'Events that were handled',
  },
  tender_follower_failures_total: {
    kind: 'counter',
    labels: ['follower', 'mode'],
    says: 'Batches that failed and are tried again, or whose message is parked',
  },
  tender_parked_messages: {
    kind: 'gauge',
    labels: ['consumer', 'mode', 'state'],
    says: 'Messages aside: retrying (by themselves) or waiting (for an operator)',
  },
  tender_lease_held: {
    kind: 'gauge',
    labels: ['lease'],
    says: '1 where this process leads',
  },
  tender_webhook_first_attempt_lag_seconds: {
    kind: 'histogram',
    labels: ['mode'],
    says: 'From planning a delivery to the start of its first attempt',
  },
  tender_webhook_attempt_seconds: {
    kind: 'histogram',
    labels: ['outcome'],
    says: 'Attempts: delivered, refused (not 2xx), or why nothing came back',
  },
  tender_webhook_in_flight: {
    kind: 'gauge',
    labels: ['pool'],
    says: 'Attempts under way: first, retry, or slow (longer than a second)',
  },
  tender_webhook_oldest_due_seconds: {
    kind: 'gauge',
    labels: ['lane'],
    says: 'How long the oldest delivery has been due: first attempts and retries',
  },
  tender_webhook_due_endpoints: {
    kind: 'gauge',
    labels: ['lane'],
    says: 'Endpoints with a delivery that is due; one of them means that it is slow, many that we are',
  },
  tender_webhook_exhausted_total: {
    kind: 'counter',
    labels: ['mode'],
    says: 'Deliveries that were given up',
  },
  tender_mail_attempts_total: {
    kind: 'counter',
    labels: ['outcome'],
    says: 'Queued mails: sent, failed (tried again), refused or given_up (never sent), not_needed or not_owed (dropped)',
  },
  tender_mail_oldest_due_seconds: {
    kind: 'gauge',
    labels: ['context'],
    says: 'How long the oldest mail of a queue has been due',
  },
  tender_chain_lag_seconds: {
    kind: 'gauge',
    labels: ['mode'],
    says: 'Age of the newest block that was seen whole',
  },
  tender_chain_behind_slots: {
    kind: 'gauge',
    labels: ['mode'],
    says: 'Slots that the chain has told of and that were not read; 0 where it tells of none',
  },
  tender_chain_blocks_total: {
    kind: 'counter',
    labels: ['mode'],
    says: 'Blocks that were read',
  },
  tender_chain_credits_total: {
    kind: 'counter',
    labels: ['mode', 'outcome'],
    says: 'Credits that paid a payment, or were reported as unmatched',
  },
  tender_sponsor_balance_lamports: {
    kind: 'gauge',
    labels: ['mode'],
    says: 'What the sponsor of fees holds; none where there is no sponsor',
  },
  tender_sponsored_transactions_total: {
    kind: 'counter',
    labels: ['mode', 'outcome'],
    says: 'Transactions whose fee was sponsored: landed, failed (the fee is lost) or dropped',
  },
  tender_signer_alarms_total: {
    kind: 'counter',
    labels: ['code'],
    says: 'Refusals and answers of signers that an honest treasury and honest signers never cause',
  },
  tender_payout_fee_balance_lamports: {
    kind: 'gauge',
    labels: ['mode'],
    says: 'What the wallet holds that pays for outgoing transfers; none where there is no such wallet',
  },
  tender_outgoing_transfers_total: {
    kind: 'counter',
    labels: ['mode', 'outcome'],
    says: 'Outgoing transfers that have ended: completed or failed',
  },
  tender_money_out_oldest_seconds: {
    kind: 'gauge',
    labels: ['kind', 'mode'],
    says: 'How long the oldest refund or settlement has been under way; 0 where none is',
  },
  tender_chain_watches: {
    kind: 'gauge',
    labels: ['mode'],
    says: 'Payments that wait for their money',
  },
  tender_sanctions_list_age_seconds: {
    kind: 'gauge',
    labels: [],
    says: 'Since the sanctions list in force was known to be the newest; nothing where there is none',
  },
  tender_invariant_violations: {
    kind: 'gauge',
    labels: ['invariant', 'context', 'mode'],
    says: 'Objects that break an invariant of docs/invariants.md; 0 where all is well',
  },
  tender_invariant_checked_total: {
    kind: 'counter',
    labels: ['invariant', 'context', 'mode'],
    says: 'Objects that were held against an invariant',
  },
  tender_invariant_age_seconds: {
    kind: 'gauge',
    labels: ['invariant', 'context'],
    says: 'Since a pass last looked at an invariant without a failure, or since this process began to lead',
  },
} as const satisfies Readonly<Record<string, Instrument>>;

type Instruments = typeof INSTRUMENTS;
export type InstrumentName = keyof Instruments;
type NamesOf<Kind extends Instrument['kind']> = {
  [Name in InstrumentName]: Instruments[Name]['kind'] extends Kind ? Name : never;
}[InstrumentName];

export type CounterName = NamesOf<'counter'>;
export type HistogramName = NamesOf<'histogram'>;
export type GaugeName = NamesOf<'gauge'>;
export type LabelsOf<Name extends InstrumentName> = Readonly<
  Record<Instruments[Name]['labels'][number], string>
>;
