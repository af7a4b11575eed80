import { describeMerchant, type RequestContext, type SubscriptionAnswer } from '@tender/contracts';
import type { ContextStage } from '@tender/runtime/testing';
import { billingStage } from './billing-stage';
import { playPayments, type PlayedPayments } from './played-payments';

export const MERCHANT = {
  ...{ merchant_id: 'm1', merchant_name: 'Corner Shop', wallet: 'W1' },
  actor: 'key:k1',
  asker: { kind: 'key', key_id: 'k1' },
} as const;
export const WALLET = 'C1vEHzK6sTQxT8d4Qw5ZeRxqgqSuxfrZ3bPz3qUq8mJd';

/** What a test asks of plans and subscriptions, as their merchant or as nobody. */
export interface SubscriptionsStage {
  readonly stage: ContextStage;
  readonly payments: PlayedPayments;
  /** As the merchant, unless the changes say otherwise. */
  ask(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    as?: Partial<RequestContext>,
  ): ReturnType<ContextStage['send']>;
  plan(changes?: object): Promise<string>;
  /** Once all that was said is heard: nothing then waits for rows that are written no more. */
  close(): Promise<void>;
  /** To a new plan, with these terms. */
  subscribe(plan?: object, body?: object): Promise<SubscriptionAnswer>;
}

export const NOBODY: Partial<RequestContext> = {
  ...{ merchant_id: '', merchant_name: '', wallet: null },
  actor: 'public',
  asker: { kind: 'public' },
};

export async function subscriptionsStage(): Promise<SubscriptionsStage> {
  const stage = await billingStage();
  const payments = playPayments(stage);
  stage.runtime.calls.answer(describeMerchant, async ({ merchant_id }) => ({
    ...{ merchant_id, name: 'Corner Shop', support_email: 'help@shop.test', wallet: 'W1' },
    ...{ business_address: '5 High Street', amount_max: 99_999_999 },
  }));
  const ask: SubscriptionsStage['ask'] = (method, path, body, as = {}) =>
    stage.send(method, `/api/v1/${path}`, stage.caller({ ...MERCHANT, ...as }), body);
  const plan = async (changes: object = {}): Promise<string> => {
    const terms = { name: 'Gold', amount: 29.99, billing_interval: 'monthly', ...changes };
    const { json } = await ask('POST', 'subscription-plans', terms);
    return json.id as string;
  };
  return {
    ...{ stage, payments, ask, plan },
    async close() {
      await stage.settle();
      await stage.close();
    },
    async subscribe(terms = {}, body = {}) {
      const wanted = { plan_id: await plan(terms), customer_wallet: WALLET, ...body };
      const { status, json } = await ask('POST', 'subscriptions', wanted);
      expect(status).toBe(201);
      return json as SubscriptionAnswer;
    },
  };
}
