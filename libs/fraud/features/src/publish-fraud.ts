import { publications } from '@tender/eventing';

/** What fraud says in public of its events. */
export const publishFraud = publications<never>({});
