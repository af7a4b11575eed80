import { prefixedIds } from './object-ids';

export const planIds = prefixedIds('plan', 'first id');
