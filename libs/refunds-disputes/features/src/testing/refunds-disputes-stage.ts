import { startTestPostgres } from '@tender/adapter-postgres/testing';
import type { Runtime } from '@tender/eventing';
import { waitLong } from '@tender/eventing/testing';
import { contextStage, type ContextStage } from '@tender/runtime/testing';
import { refundsDisputesContext } from '../refunds-disputes.context';

/** The context refunds-disputes on a database of its own; what payments and treasury say is said by the test. */
export async function refundsDisputesStage(ports: Partial<Runtime> = {}): Promise<ContextStage> {
  const postgres = await startTestPostgres();
  const connectionString = await postgres.database();
  const stage = await contextStage({
    ...{ connectionString, context: refundsDisputesContext, ports },
    speaker: [
      { name: 'treasury', categories: ['transfer.test', 'transfer.live'] },
      { name: 'payments', categories: ['payment.test', 'payment.live'] },
    ],
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
