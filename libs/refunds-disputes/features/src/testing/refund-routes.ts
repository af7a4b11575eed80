import type { RequestContext } from '@tender/contracts';
import type { ContextStage } from '@tender/runtime/testing';
import { MERCHANT } from './played-payments';

type As = Partial<RequestContext>;

/** The routes of refunds as their merchant asks them. */
export const refundRoutes = ({ send, caller }: Pick<ContextStage, 'send' | 'caller'>) => {
  const as = (changes: As): RequestContext => caller({ merchant_id: MERCHANT, ...changes });
  return {
    create: (payment_id: string, body: object, who: As = {}) =>
      send('POST', `/api/v1/payments/${payment_id}/refund`, as(who), body),
    ofPayment: (payment_id: string, query = '', who: As = {}) =>
      send('GET', `/api/v1/payments/${payment_id}/refunds${query}`, as(who)),
    list: (query = '', who: As = {}) => send('GET', `/api/v1/merchants/me/refunds${query}`, as(who)),
    get: (id: string, who: As = {}) => send('GET', `/api/v1/merchants/me/refunds/${id}`, as(who)),
  };
};
