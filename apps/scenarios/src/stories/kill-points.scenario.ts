/**
 * @landing postgres
 * @runs postgres eventstore
 * @program own
 * @takes minutes
 */
import { COMPOSITION } from '@tender/composition';
import { CATALOGUE, houseOf, SERVICES, type ServiceName } from '@tender/contracts';
import { consumersOf } from '@tender/http';
import { AROUND_THE_APPEND, describeDeaths, SILENT, type Death } from './kill-points/service-deaths';

// Where a service dies between Kafka, Postgres and the outside, by what it has done then. Around the append one is
// enough here: `append-kill-points.scenario.ts` has them all.
const PUBLISHES: readonly Death[] = [
  ['K5, the relay has read, Kafka has nothing', 'publish.before@relay'],
  ['K6, Kafka has acknowledged, no checkpoint yet', 'checkpoint.before@relay'],
];
const CONSUMES: readonly Death[] = [
  ['K7, a consumer has polled and handled, no commit', 'checkpoint.before@consumer:2'],
  ['K8, Postgres has committed, no offset is', 'checkpoint.after@consumer:2'],
];
const SENDS: readonly Death[] = [
  ['K12, a webhook is planned, not sent', 'outbound.before:2'],
  ['K13, a webhook is answered, not recorded', 'outbound.after:2'],
];
const OWN: Partial<Record<ServiceName, readonly Death[]>> = {
  payments: AROUND_THE_APPEND,
  'webhook-dispatcher': SENDS,
};

const deathsOf = (service: ServiceName): readonly Death[] => {
  const { hosts } = houseOf(service);
  const has_facts = hosts.some((name) => CATALOGUE[name].facts.length > 0);
  const speaks = has_facts && !SILENT.includes(service);
  const hears = hosts.some((name) => consumersOf(COMPOSITION[name]).length > 0);
  return [...(OWN[service] ?? []), ...(speaks ? PUBLISHES : []), ...(hears ? CONSUMES : [])];
};

/**
 * Without those that hear of no order: treasury hears of passkeys alone, and dies with one in the story of a merchant's
 * own wallet; refunds-disputes hears of refunds, and dies in that of money that leaves.
 */
const OF_NO_ORDER: readonly ServiceName[] = ['treasury', 'refunds-disputes'];
const DYING = SERVICES.filter(
  (service) => !OF_NO_ORDER.includes(service) && deathsOf(service).length > 0,
);

describeDeaths(Object.fromEntries(DYING.map((service) => [service, deathsOf(service)])));
