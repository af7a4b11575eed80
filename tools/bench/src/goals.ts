import type { Goal } from './report/entry';

// What each scenario is held to: `must` is the floor, `stretch` what we are after. The first word is the goal's
// name in the table that a run prints.

const ratio = (id: string, name: string, op: Goal['op'], must: number, stretch: number): Goal => ({
  id,
  metric: `ratio.${name}`,
  op,
  must,
  stretch,
});

const atMost = (id: string, name: string, must: number, stretch: number): Goal => ({
  id,
  metric: `candidate.${name}`,
  op: '<=',
  must,
  stretch,
  absolute: true,
});

const atLeast = (id: string, name: string, must: number, stretch: number): Goal => ({
  ...atMost(id, name, must, stretch),
  op: '>=',
});

/** By connections. 256 has none but is shown. */
export const CREATE_PAYMENT: Readonly<Record<number, readonly Goal[]>> = {
  1: [ratio('1c', 'rps', '>=', 0.7, 0.85)],
  8: [ratio('1c', 'rps', '>=', 0.8, 0.95)],
  64: [
    ratio('1', 'rps', '>=', 1, 1.4),
    ratio('1b', 'cpu', '<=', 0.65, 0.5),
    atMost('12', 'rss_mb', 240, 180),
  ],
  256: [],
};
export const CREATE_PAYMENT_DISTRIBUTED: typeof CREATE_PAYMENT = {
  64: [ratio('1', 'rps', '>=', 0.6, 1)],
};
export const CREATE_PAYMENT_LATENCY: readonly Goal[] = [ratio('1c', 'p99', '<=', 1, 0.6)];
/** All for one merchant, so that their numbers come one after the other. */
export const INVOICE_NUMBERS: readonly Goal[] = [atLeast('invoices', 'rps', 200, 400)];
/** Each charge has a link and its payment, against links and payments by them that the API makes just before. */
export const CHARGES_DUE: readonly Goal[] = [ratio('charges', 'per_s', '>=', 0.8, 1)];
/** By `clock/advance`, seconds of wall time. */
export const SUBSCRIPTION_YEAR: readonly Goal[] = [atMost('year', 'total_s', 120, 60)];
export const SUBSCRIPTIONS_MEMORY: readonly Goal[] = [ratio('waiting', 'node_mb', '<=', 1.1, 1.05)];
export const STATUS_POLL: readonly Goal[] = [ratio('4', 'rps', '>=', 0.75, 0.85)];
/** A page is drawn anew for each view. */
export const PAYMENT_PAGE: readonly Goal[] = [ratio('page', 'rps', '>=', 0.15, 0.3)];
export const STATUS_STREAMS: readonly Goal[] = [
  atMost('streams', 'kb_each', 20, 15),
  atMost('streams', 'told_p99', 100, 50),
  // The program's own come in bursts. One query of each stream at each comment would be 333.
  atMost('streams', 'more_queries_per_s', 20, 5),
];
/** By writers. */
export const APPEND: Readonly<Record<number, readonly Goal[]>> = {
  16: [ratio('5', 'per_s', '>=', 1.2, 1.4)],
  64: [ratio('5', 'per_s', '>=', 1.5, 2)],
};
export const WEBHOOKS: readonly Goal[] = [ratio('9', 'per_s', '>=', 0.4, 0.55)];
export const INDEXER_BLOCK: readonly Goal[] = [
  ratio('10', 'cpu_ms', '<=', 1.1, 1.05),
  // A count, the same on every machine.
  { id: '10', metric: 'candidate.calls_per_block', op: '<=', must: 2, stretch: 1 },
];
export const CONFIRM_LATENCY: readonly Goal[] = [
  atMost('11', 'stored_p50', 50, 35),
  atMost('11', 'stored_p99', 150, 80),
  atMost('11', 'webhook_p99', 250, 120),
];
/** Against the same job as a usual team writes it with Nest, TypeORM and an outbox. */
export const PEERS_CREATE_PAYMENT: readonly Goal[] = [ratio('2', 'rps', '>=', 6, 9)];
/** From the first block's visibility to the last payment, per second. */
export const CONFIRM_BURST: readonly Goal[] = [
  atLeast('burst', 'stored_per_s', 1_000, 1_500),
  atLeast('burst', 'announced_per_s', 1_000, 1_500),
];
export const MEMORY: readonly Goal[] = [
  atMost('tree', 'tree_idle_mb', 600, 450),
  atMost('tree', 'tree_used_mb', 600, 450),
  atMost('12', 'node_idle_mb', 160, 120),
  atMost('12', 'node_used_mb', 240, 180),
];
export const BOOT: readonly Goal[] = [
  atMost('13', 'first_s', 4, 2.2),
  atMost('tree', 'warm_s', 5, 3),
];
export const OVERLOAD: readonly Goal[] = [
  ratio('15', 'rps', '>=', 0.9, 0.97),
  ratio('15', 'rss_mb', '<=', 1.5, 1.2),
];
export const RELAY: readonly Goal[] = [ratio('relay', 'per_s', '>=', 0.5, 0.7)];
export const RELAY_LATENCY: readonly Goal[] = [atMost('relay', 'added_p99', 50, 20)];
export const REBUILD: readonly Goal[] = [
  ratio('7', 'per_s', '>=', 0.5, 0.6),
  // Greatest memory of all against that of the first fifth.
  { id: '7', metric: 'candidate.rss_growth', op: '<=', must: 1.5, stretch: 1.2 },
];
export const CATCHUP: readonly Goal[] = [ratio('7', 'per_s', '>=', 0.3, 0.4)];
/** With ten times the data. */
export const GROWTH = (metric: string): readonly Goal[] => [ratio('10x', metric, '>=', 0.9, 0.97)];
/** One link without `max_uses`, against POST /payments; and used often, against itself when it was new. */
export const PAY_LINK: readonly Goal[] = [ratio('link', 'rps', '>=', 0.5, 0.7)];
export const PAY_LINK_USED: readonly Goal[] = [ratio('link', 'rps', '>=', 0.9, 0.97)];
/** Against the same program that screens nothing. */
export const SCREENING: readonly Goal[] = [ratio('screening', 'rps', '>=', 0.9, 0.95)];
/** Each has a key of its own, which is kept before the payment is, and a past that fraud looks up. */
export const NEW_CUSTOMERS: readonly Goal[] = [ratio('customers', 'rps', '>=', 0.6, 0.8)];
export const SCREENING_DISTRIBUTED: readonly Goal[] = [ratio('screening', 'rps', '>=', 0.8, 0.9)];
/** Against creating as many: a build and a submission ask the chain three times each. */
export const BUILD_SUBMIT: Readonly<Record<'build' | 'submit', readonly Goal[]>> = {
  build: [ratio('pay', 'rps', '>=', 0.25, 0.5)],
  submit: [ratio('pay', 'rps', '>=', 0.2, 0.35)],
};
/** Judged, reserved and signed by two signers, several at once, against bare FROST that does one at a time. */
export const SIGNATURES: readonly Goal[] = [ratio('signatures', 'per_s', '>=', 1, 1.3)];
/** From the answer to a refund until its merchant has heard that the money is back, in ms at p99. */
export const REFUND_TOLD: readonly Goal[] = [
  // Beyond what the chain needs to make a bare transfer final that is sent in the same moments.
  atMost('refund', 'beyond_finality_p99', 1_000, 500),
];
/** Asked for all at once, until the last one is signed and recorded, against bare FROST that does one at a time. */
export const REFUNDS_SIGNED: readonly Goal[] = [ratio('refunds', 'per_s', '>=', 0.4, 0.7)];
/** All processes of a run in which nothing happens, in percent of one core. */
export const REST: readonly Goal[] = [atMost('rest', 'total', 1, 0.5)];
