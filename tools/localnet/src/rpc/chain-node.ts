import type { Commitment } from '../ledger/ledger-settings';
import type { Ledger } from '../ledger/ledger';
import type { Faults } from './faults';
import type { Params } from './params';

/** One ledger as its clients meet it: with its faults and its open sockets. */
export interface ChainNode {
  readonly ledger: Ledger;
  readonly faults: Faults;
  /** Requests by method since start. */
  readonly requests: Map<string, number>;
  openWebsockets(): number;
  /** Cuts every open websocket; answers how many. */
  dropWebsockets(): number;
}

export type Method = (node: ChainNode, params: Params) => unknown;
export type MethodTable = Readonly<Record<string, Method>>;

export const API_VERSION = '2.3.0';

/** A value as of the newest slot that this commitment sees. Accounts are always as of the tip. */
export function withContext<Value>(node: ChainNode, commitment: Commitment, value: Value) {
  return { context: { apiVersion: API_VERSION, slot: node.ledger.newestSlot(commitment) }, value };
}
