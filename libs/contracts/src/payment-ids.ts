import { prefixedIds } from './object-ids';

export const paymentIds = prefixedIds('pay', 'first id');
export const intentIds = prefixedIds('pi', 'first id');
export const receiptIds = prefixedIds('rcpt', 'second release');
export const settlementIds = prefixedIds('set', 'second release');
