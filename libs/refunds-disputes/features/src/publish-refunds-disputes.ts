import { publications } from '@tender/eventing';
import type { PaymentCaseEvent } from '@tender/refunds-disputes-domain';
import { tellsOfDisputes } from './disputes/tells-of-disputes';
import { tellsOfRefunds } from './refunds/tells-of-refunds';

/** What the context says in public of its events. */
export const publishRefundsDisputes = publications<PaymentCaseEvent>({
  ...tellsOfRefunds,
  ...tellsOfDisputes,
});
