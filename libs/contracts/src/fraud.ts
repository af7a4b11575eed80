import { prefixedIds } from './object-ids';

export const flagIds = prefixedIds('flag', 'first id');

export const fraudRoutes = [] as const;
