import { publications } from '@tender/eventing';

/** What treasury says in public of its events. */
export const publishTreasury = publications<never>({});
