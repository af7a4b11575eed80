import type { ContextStage } from '@tender/runtime/testing';
import { Screener } from '../screen-payment/screener';
import { fraudStage } from '../testing/fraud-stage';
import { newOrder } from '../testing/order';
import { forgetCustomer } from './forget-customer';

let stage: ContextStage;
beforeAll(async () => {
  stage = await fraudStage();
});
afterAll(() => stage?.close());

const ASKED = { mode: 'test', correlation_id: 'x', command_id: null } as const;

/** As after a start, from what the tables hold. */
async function reasonsOf(customer_email: string): Promise<readonly string[]> {
  const screener = new Screener(stage.runtime);
  const answer = await screener.screen(newOrder({ customer_email, merchant_id: 'later' }), ASKED);
  await screener.close();
  return answer.ok ? answer.value.reasons : ['refused'];
}

test('a customer who was forgotten is counted no more by what the merchant has screened; others are', async () => {
  const screener = new Screener(stage.runtime);
  for (const customer_email of ['ada@example.com', 'bob@example.com']) {
    for (let order = 0; order < 5; order += 1) {
      await screener.screen(newOrder({ customer_email }), ASKED);
    }
  }
  await screener.close();
  expect(await reasonsOf('ada@example.com')).toEqual(['velocity_email']);

  const { readModels, keyRing } = stage.runtime;
  const customer = { merchant_id: 'm1', mode: 'test', payment_ids: [] } as const;
  const of = (email: string) => forgetCustomer(readModels, keyRing, { ...customer, email });
  expect([await of(' Ada@Example.com'), await of('ada@example.com')]).toEqual([5, 0]);
  expect(await reasonsOf('ada@example.com')).toEqual([]);
  expect(await reasonsOf('bob@example.com')).toEqual(['velocity_email']);
});
