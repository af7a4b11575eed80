/**
 * @landing eventstore
 * @runs postgres eventstore
 * @program own
 */
import { AROUND_THE_APPEND, describeDeaths } from './kill-points/service-deaths';

describeDeaths({
  gateway: AROUND_THE_APPEND,
  payments: AROUND_THE_APPEND,
  'chain-indexer': AROUND_THE_APPEND,
});
