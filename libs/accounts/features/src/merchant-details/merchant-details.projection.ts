import {
  evolveMerchant,
  UNKNOWN_MERCHANT,
  type Merchant,
  type MerchantEvent,
} from '@tender/accounts-domain';
import { foldedView, readFolded, type Position, type Runtime } from '@tender/eventing';
import { merchantStream } from '../merchant-stream';

const TABLE = 'accounts.merchants';
const folding = { table: TABLE, initial: UNKNOWN_MERCHANT, evolve: evolveMerchant };

export const merchants = foldedView<Merchant, MerchantEvent>({
  ...folding,
  name: 'accounts.merchants@1',
  noun: 'merchant',
  modes: ['all'],
  columns: {},
  rowOf: () => ({}),
});

/** A merchant with its keys; `unknown` when there is none of that id. */
export const readMerchant = (
  runtime: Runtime,
  merchant_id: string,
  min_position: Position | null,
): Promise<Merchant> =>
  readFolded<Merchant, MerchantEvent>(runtime, folding, merchantStream(merchant_id), min_position);
