import { publications } from '@tender/eventing';
import type { RefundEvent } from '@tender/refunds-disputes-domain';
import { tellsOfRefunds } from './refunds/tells-of-refunds';

/** What the context says in public of its events. */
export const publishRefundsDisputes = publications<RefundEvent>({ ...tellsOfRefunds });
