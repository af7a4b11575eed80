import { startTestPostgres } from '@tender/adapter-postgres/testing';
import type { Runtime } from '@tender/eventing';
import { waitLong } from '@tender/eventing/testing';
import type { HostedContext } from '@tender/http';
import { contextStage, type ContextStage } from '@tender/runtime/testing';
import { billingContext } from '../billing.context';
import { BILLING_SETTINGS } from '../settings';

/** The context billing on a database of its own, with payments as a test plays it. */
export async function billingStage(
  ports: Partial<Runtime> = {},
  context: HostedContext = billingContext,
): Promise<ContextStage> {
  const postgres = await startTestPostgres();
  const stage = await contextStage({
    connectionString: await postgres.database(),
    context,
    providers: [{ provide: BILLING_SETTINGS, useValue: { checkout_url: 'http://pay.test' } }],
    ports,
    speaker: { name: 'payments', categories: ['payment.test'] },
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
