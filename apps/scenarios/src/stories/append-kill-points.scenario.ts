/**
 * @landing eventstore
 * @runs postgres eventstore
 * @program own
 * @takes minutes
 */
import { serviceOf, SPEAKERS } from '@tender/contracts';
import { AROUND_THE_APPEND, describeDeaths, SILENT } from './kill-points/service-deaths';

// Every service whose commands others hear of, where orders are such commands.
const services = SPEAKERS.map(({ name }) => serviceOf(name)).filter(
  (name) => !SILENT.includes(name),
);

describeDeaths(Object.fromEntries(services.map((service) => [service, AROUND_THE_APPEND])));
