import { eventually } from '../../harness/eventually';
import { newMerchant, type Merchant } from '../../harness/merchants';
import { sharedProgram } from '../../harness/running-program';
import { Customers, type Customer, type Tab } from './customers';

const PLAN = { name: 'Beans', amount: 9.5, billing_interval: 'monthly' };

/**
 * A shop of this story alone, in the program that all stories share, and the browsers of its customers. Pages must ask
 * no other origin for anything, and must not fail in any story.
 */
export function openShop() {
  const program = sharedProgram();
  const customers = new Customers(() => program.url);
  let merchant: Merchant;

  beforeAll(async () => {
    merchant = await newMerchant(program);
    await customers.open();
  });

  afterAll(async () => {
    await customers.close();
    expect(customers.foreign).toEqual([]);
    expect(customers.faults).toEqual([]);
  });

  return {
    program,
    customers,
    owner: () => merchant,
    order: async (fields: object = {}) =>
      (await merchant.api.post('/api/v1/payments', { amount: 4.5, ...fields })).json,
    link: async (fields: object = {}) =>
      (await merchant.api.post('/api/v1/payment-links', { amount: 12, ...fields })).json,
    plan: async (fields: object = {}) =>
      (await merchant.api.post('/api/v1/subscription-plans', { ...PLAN, ...fields })).json,
    payment: async (id: string) => (await merchant.api.get(`/api/v1/payments/${id}`)).json,
    usesOf,
    /** As a wallet that is no part of the story would. */
    pay: (payment_id: string) => merchant.api.post('/api/v1/test_helpers/pay', { payment_id }),
    fund,
    richCustomer,
    meetsAnotherWallet,
  };

  /** Of a link. They follow the log: this looks until there are `at_least` so many. */
  async function usesOf(link_code: string, at_least = 0): Promise<number> {
    const look = () => merchant.api.get(`/api/v1/payment-links/${link_code}`);
    const { json } = await eventually(look, (answer) => answer.json.uses_count >= at_least);
    return json.uses_count;
  }

  /** Gives the customer's wallet what it needs. */
  async function fund(
    { wallet: { address } }: Customer,
    money: Readonly<Record<string, number>>,
  ): Promise<void> {
    for (const [token, amount] of Object.entries(money)) {
      await merchant.api.post('/api/v1/test_helpers/faucet', { address, token, amount });
    }
  }

  async function richCustomer(): Promise<Customer> {
    const customer = await customers.arrives();
    await fund(customer, { SOL: 1, USDC: 100 });
    return customer;
  }

  /** Presses to pay a payment that another customer's wallet has begun, which was asked and says nothing. */
  async function meetsAnotherWallet(): Promise<{ readonly customer: Customer; readonly tab: Tab }> {
    const [first, customer] = [await richCustomer(), await richCustomer()];
    first.wallet.mood = 'silent';
    const { json } = await merchant.api.post('/api/v1/payments', { amount: 4.5 });
    const one = await (await first.opens(json.payment_url)).goesToChoice();
    await one.press('Pay with Test Wallet');
    await eventually(async () => first.wallet.asked, (asked) => asked === 1);
    const tab = await (await customer.opens(json.payment_url)).goesToChoice();
    await tab.press('Pay with Test Wallet');
    await tab.at('switch account');
    return { customer, tab };
  }
}
