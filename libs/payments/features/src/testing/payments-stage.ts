import {
  describeMerchant,
  screenPayment,
  sponsorPays,
  type MerchantProfile,
  type ScreeningRequest,
  type ScreeningVerdict,
} from '@tender/contracts';
import type { Answerer, Runtime } from '@tender/eventing';
import { waitLong } from '@tender/eventing/testing';
import { startTestPostgres } from '@tender/adapter-postgres/testing';
import { done, type Outcome } from '@tender/kernel';
import { contextStage, type ContextStage } from '@tender/runtime/testing';
import { SponsoredFees } from '../checkout-data/sponsored-fees';
import { paymentsContext } from '../payments.context';
import { PAYMENT_SETTINGS } from '../settings';

const MINTS = { USDC: 'MintUsdc', USDT: 'MintUsdt' };
/** A getter, as a chain has it: a test may say that the network is not taken. */
const chain = () => ({
  network: 'localnet',
  get mints() {
    return MINTS;
  },
});

const MERCHANT = {
  name: 'Corner Shop',
  business_address: '5 High Street',
  support_email: 'help@shop.test',
  wallet: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
  amount_max: 99_999_999,
};

type Screen = Answerer<ScreeningRequest, Outcome<ScreeningVerdict, 'screening_unavailable'>>;
type Sponsor = Answerer<object, { pays: boolean }>;
const pass: Screen = async () => done({ score: 0, action: 'pass', reasons: [] });

/**
 * The context payments on a database of its own, with the chain indexer, fraud and treasury as a test plays them.
 * `merchants`: what accounts says of those that differ from the others.
 */
export async function paymentsStage(
  ports: Partial<Runtime> = {},
  merchants: Readonly<Record<string, Partial<MerchantProfile>>> = {},
  screen: Screen = pass,
  sponsor: Sponsor = async () => ({ pays: true }),
): Promise<ContextStage> {
  const postgres = await startTestPostgres();
  const stage = await contextStage({
    connectionString: await postgres.database(),
    context: paymentsContext,
    providers: [
      {
        provide: PAYMENT_SETTINGS,
        useValue: {
          ...{ checkout_url: 'http://pay.test', payment_lifetime_ms: 900_000 },
          link_uses_held_per_address: 20,
        },
      },
    ],
    ports: {
      chains: { test: chain(), live: chain() } as never,
      outbound: { refusal: async () => null } as never,
      ...ports,
    },
    speaker: [
      { name: 'chain-indexer', categories: ['watch.test', 'money.test'] },
      { name: 'treasury', categories: ['outgoingtransfer.test'] },
    ],
  });
  stage.runtime.calls.answer(screenPayment, screen);
  stage.runtime.calls.answer(sponsorPays, sponsor);
  await stage.app.get(SponsoredFees).ask();
  waitLong(stage.runtime);
  stage.runtime.calls.answer(describeMerchant, async ({ merchant_id }) => ({
    ...{ merchant_id, ...MERCHANT },
    ...merchants[merchant_id],
  }));
  return {
    ...stage,
    async close() {
      await stage.close();
      await postgres.stop();
    },
  };
}
