import type { ContextStage } from '@tender/runtime/testing';
import type { PlayedLink, PlayedPayments } from './played-payments';

export const OWNER = {
  ...{ merchant_id: 'm1', merchant_name: 'Corner Shop', wallet: 'W1', actor: 'key:k1' as const },
};
export const WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
export const DAY_MS = 24 * 60 * 60 * 1000;

/** Three shares of 100 USD, 30 days apart; the first is due a day from now. */
export const THREE = {
  ...{ customer_wallet: WALLET, total_amount: 100, installment_count: 3 },
  payment_frequency_days: 30,
};

/** Those of one plan, oldest first. */
export const linksOf = ({ links }: PlayedPayments, id: string): PlayedLink[] =>
  links.filter(({ claim }) => claim.metadata?.['installment_plan_id'] === id);

/** The routes of installment plans, as the merchant asks unless told. */
export function installmentRoutes(stage: ContextStage) {
  const path = '/api/v1/installment-plans';
  const send = (method: 'GET' | 'POST', url: string, changes: object = {}, body?: object) =>
    stage.send(method, url, stage.caller({ ...OWNER, ...changes }), body);
  const routes = {
    create: (body: object = THREE, changes: object = {}) => send('POST', path, changes, body),
    get: (id: string, changes: object = {}) => send('GET', `${path}/${id}`, changes),
    list: (query = '', changes: object = {}) => send('GET', `${path}${query}`, changes),
    ofWallet: (wallet: string, query = '', changes: object = {}) =>
      send('GET', `/api/v1/customers/${wallet}/installment-plans${query}`, changes),
    nextDue: (id: string, changes: object = {}) => send('GET', `${path}/${id}/next-due`, changes),
    pay: (id: string, changes: object = {}) => send('POST', `${path}/${id}/pay`, changes),
    cancel: (id: string, changes: object = {}) => send('POST', `${path}/${id}/cancel`, changes),
  };
  return {
    ...routes,
    /** A plan, and everything that follows from it has happened. */
    async given(body: object = {}): Promise<string> {
      const { status, text, json } = await routes.create({ ...THREE, ...body });
      if (status !== 201) throw new Error(text);
      await stage.settle();
      return json.id as string;
    },
  };
}
