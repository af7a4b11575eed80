import { accountMethods } from './account-methods';
import { blockMethods } from './block-methods';
import type { Method } from './chain-node';
import { controlMethods } from './control-methods';
import { historyMethods } from './history-methods';
import { nodeMethods } from './node-methods';
import { sendingMethods } from './sending-methods';
import { tokenMethods } from './token-methods';

/** Every method of the HTTP interface. A Map: `constructor` must not be a method. */
export const METHODS: ReadonlyMap<string, Method> = new Map(
  Object.entries({
    ...nodeMethods,
    ...blockMethods,
    ...historyMethods,
    ...accountMethods,
    ...tokenMethods,
    ...sendingMethods,
    ...controlMethods,
  }),
);

export const isControl = (method: string): boolean => method.startsWith('localnet_');
