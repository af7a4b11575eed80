import { publications } from '@tender/eventing';
import type { PaymentCaseEvent } from '@tender/refunds-disputes-domain';
import { tellsOfDisputes } from './disputes/tells-of-disputes';

/** What refunds and disputes say in public of their events. */
export const publishRefundsDisputes = publications<PaymentCaseEvent>({
  RefundInitiated: 'private',
  RefundSent: 'private',
  RefundCompleted: 'private',
  RefundFailed: 'private',
  ...tellsOfDisputes,
});
