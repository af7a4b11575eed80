import { publications } from '@tender/eventing';

/** What refunds disputes says in public of its events. */
export const publishRefundsDisputes = publications<never>({});
