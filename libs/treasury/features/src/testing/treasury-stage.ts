import { startTestPostgres } from '@tender/adapter-postgres/testing';
import type { Runtime } from '@tender/eventing';
import { waitLong } from '@tender/eventing/testing';
import { contextStage, type ContextStage } from '@tender/runtime/testing';
import { treasuryContext } from '../treasury.context';

/** The context treasury on a database of its own. */
export async function treasuryStage(ports: Partial<Runtime> = {}): Promise<ContextStage> {
  const postgres = await startTestPostgres();
  const connectionString = await postgres.database();
  const stage = await contextStage({ connectionString, context: treasuryContext, ports });
  waitLong(stage.runtime);
  return {
    ...stage,
    async close() {
      await stage.close();
      await postgres.stop();
    },
  };
}
