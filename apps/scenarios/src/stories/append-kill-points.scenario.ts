/**
 * @landing eventstore
 * @runs postgres eventstore
 * @program own
 */
import { serviceOf, SPEAKERS } from '@tender/contracts';
import { AROUND_THE_APPEND, describeDeaths } from './kill-points/service-deaths';

// Every service whose commands others hear of.
describeDeaths(
  Object.fromEntries(SPEAKERS.map(({ name }) => [serviceOf(name), AROUND_THE_APPEND])),
);
