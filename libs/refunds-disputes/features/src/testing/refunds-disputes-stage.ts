import { startTestPostgres } from '@tender/adapter-postgres/testing';
import type { Runtime } from '@tender/eventing';
import { waitLong } from '@tender/eventing/testing';
import { contextStage, type ContextStage } from '@tender/runtime/testing';
import { CODE_REQUESTS } from '../dispute-codes/dispute-codes';
import { refundsDisputesContext } from '../refunds-disputes.context';
import { REFUNDS_DISPUTES_SETTINGS, type RefundsDisputesSettings } from '../settings';

/** The context refunds-disputes on a database of its own; what payments and treasury say is said by the test. */
export async function refundsDisputesStage(ports: Partial<Runtime> = {}): Promise<ContextStage> {
  const postgres = await startTestPostgres();
  const connectionString = await postgres.database();
  const settings: RefundsDisputesSettings = { code_requests: CODE_REQUESTS };
  const stage = await contextStage({
    ...{ connectionString, context: refundsDisputesContext, ports },
    providers: [{ provide: REFUNDS_DISPUTES_SETTINGS, useValue: settings }],
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
