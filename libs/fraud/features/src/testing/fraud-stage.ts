import { setTimeout as sleep } from 'node:timers/promises';
import { startTestPostgres } from '@tender/adapter-postgres/testing';
import type { Runtime } from '@tender/eventing';
import { waitLong } from '@tender/eventing/testing';
import { contextStage, type ContextStage } from '@tender/runtime/testing';
import { fraudContext } from '../fraud.context';
import { currentList } from '../sanctions/import-list';
import { FRAUD_SETTINGS, type FraudSettings } from '../settings';

export interface FraudStageOptions {
  readonly ports?: Partial<Runtime>;
  readonly settings?: Partial<FraudSettings>;
}

/** The context fraud on a database of its own, with payments as a test plays them. */
export async function fraudStage({
  ports = {},
  settings = {},
}: FraudStageOptions = {}): Promise<ContextStage> {
  const postgres = await startTestPostgres();
  const local = { network: 'localnet' };
  const stage = await contextStage({
    connectionString: await postgres.database(),
    context: fraudContext,
    providers: [{ provide: FRAUD_SETTINGS, useValue: { sanctions_list: null, ...settings } }],
    ports: { chains: { test: local, live: local } as never, ...ports },
    speaker: { name: 'payments', categories: ['payment.test', 'payment.live'] },
  });
  waitLong(stage.runtime);
  // The leader takes the sample over once it leads.
  const takes_sample = (settings.sanctions_list ?? null) === null;
  while (takes_sample && (await currentList(stage.runtime)) === null) await sleep(5);
  return {
    ...stage,
    async close() {
      await stage.close();
      await postgres.stop();
    },
  };
}
