import { freshTestWallet } from '@tender/transactions/testing';
import type { Client } from '../../harness/client';
import { eventually } from '../../harness/eventually';
import type { RunningProgram } from '../../harness/running-program';
import type { CustomerWallet } from './customer-wallet';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;
export type Token = 'USDC' | 'USDT' | 'SOL';

/** What customers do at a checkout, over its API. */
export function customersOf(program: RunningProgram, customer: Client = program.client()) {
  const act = (payment: Json, action: string, body: object) =>
    customer.post(`/api/v1/payments/${payment.id}/${action}`, body);
  const statusOf = async (payment: Json): Promise<Json> =>
    (await customer.get(`/api/v1/payments/${payment.id}/status`)).json;
  return {
    act,
    statusOf,
    ended: (payment: Json) => eventually(() => statusOf(payment), ({ status }) => status !== 'pending'),

    /** A wallet with as many whole tokens of each kind. */
    async wallet(tokens: Readonly<Partial<Record<Token, number>>>): Promise<CustomerWallet> {
      const fresh = freshTestWallet();
      for (const [token, amount] of Object.entries(tokens)) {
        const faucet = { address: fresh.address, token, amount };
        expect((await program.admin().post('/api/v1/test_helpers/faucet', faucet)).status).toBe(200);
      }
      return fresh;
    },

    async build(payment: Json, payer: CustomerWallet, prefer_gasless = false): Promise<Json> {
      const { status, json } = await act(payment, 'build-transaction', {
        ...{ payer_wallet: payer.address, prefer_gasless },
      });
      expect([status, json.code]).toEqual([200, undefined]);
      return json;
    },
  };
}
