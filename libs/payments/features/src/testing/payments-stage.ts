import type { Runtime } from '@tender/eventing';
import { waitLong } from '@tender/eventing/testing';
import { startTestPostgres } from '@tender/adapter-postgres/testing';
import { contextStage, type ContextStage } from '@tender/runtime/testing';
import { paymentsContext } from '../payments.context';
import { PAYMENT_SETTINGS } from '../settings';

const MINTS = { USDC: 'MintUsdc', USDT: 'MintUsdt' };
/** A getter, as a chain has it: a test may say that the network is not taken. */
const chain = () => ({
  get mints() {
    return MINTS;
  },
});

/** The context payments on a database of its own, with the chain indexer as a test plays it. */
export async function paymentsStage(ports: Partial<Runtime> = {}): Promise<ContextStage> {
  const postgres = await startTestPostgres();
  const stage = await contextStage({
    connectionString: await postgres.database(),
    context: paymentsContext,
    providers: [
      {
        provide: PAYMENT_SETTINGS,
        useValue: { checkout_url: 'http://pay.test', payment_lifetime_ms: 900_000 },
      },
    ],
    ports: {
      chains: { test: chain(), live: chain() } as never,
      outbound: { refusal: async () => null } as never,
      ...ports,
    },
    speaker: { name: 'chain-indexer', categories: ['watch.test', 'money.test'] },
  });
  waitLong(stage.runtime);
  return {
    ...stage,
    async close() {
      await stage.close();
      await postgres.stop();
    },
  };
}
