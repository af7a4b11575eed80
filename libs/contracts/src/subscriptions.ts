import { prefixedIds } from './object-ids';

export const subscriptionIds = prefixedIds('sub', 'first id');
