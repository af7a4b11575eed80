import { startTestPostgres } from '@tender/adapter-postgres/testing';
import type { Runtime } from '@tender/eventing';
import { waitLong } from '@tender/eventing/testing';
import { contextStage, type ContextStage } from '@tender/runtime/testing';
import { fraudContext } from '../fraud.context';

/** The context fraud on a database of its own. */
export async function fraudStage(ports: Partial<Runtime> = {}): Promise<ContextStage> {
  const postgres = await startTestPostgres();
  const connectionString = await postgres.database();
  const stage = await contextStage({ connectionString, context: fraudContext, ports });
  waitLong(stage.runtime);
  return {
    ...stage,
    async close() {
      await stage.close();
      await postgres.stop();
    },
  };
}
