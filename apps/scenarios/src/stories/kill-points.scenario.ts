/**
 * @landing postgres
 * @runs postgres eventstore
 * @program own
 */
import { AROUND_THE_APPEND, describeDeaths } from './kill-points/service-deaths';

// Where a service dies between Kafka, Postgres and the outside, by what it has done then. Around the append one is
// enough here: `append-kill-points.scenario.ts` has them all.
const PUBLISHES = [
  ['K5, the relay has read, Kafka has nothing', 'publish.before@relay'],
  ['K6, Kafka has acknowledged, no checkpoint yet', 'checkpoint.before@relay'],
] as const;
const CONSUMES = [
  ['K7, a consumer has polled and handled, no commit', 'checkpoint.before@consumer:2'],
  ['K8, Postgres has committed, no offset is', 'checkpoint.after@consumer:2'],
] as const;
const SENDS = [
  ['K12, a webhook is planned, not sent', 'outbound.before:2'],
  ['K13, a webhook is answered, not recorded', 'outbound.after:2'],
] as const;

describeDeaths({
  gateway: PUBLISHES,
  payments: [...AROUND_THE_APPEND, ...PUBLISHES, ...CONSUMES],
  'chain-indexer': [...PUBLISHES, ...CONSUMES],
  'webhook-dispatcher': [...CONSUMES, ...SENDS],
});
