/**
 * @landing postgres eventstore
 * @runs postgres eventstore
 * @program own
 */
import { describeDeaths } from './kill-points/service-deaths';

// Where a service that writes dies around its append.
const WRITES = [
  ['K1 and K2, a command is decided, its append not sent', 'append.before:2'],
  ['K3, the append is sent, its answer not read', 'append.sent:2'],
  ['K4, the append is acknowledged, no client is answered', 'append.after:2'],
] as const;

describeDeaths({ gateway: WRITES, payments: WRITES, 'chain-indexer': WRITES });
