import { hmacSeal } from '@tender/adapter-internal-http';
import { postgresLeases, postgresReadModels, realDelays } from '@tender/adapter-postgres';
import { inProcessCalls, systemClock } from '@tender/adapter-system';
import { noTelemetry, type Log } from '@tender/eventing';
import { answerSums } from '@tender/eventing/testing';
import { serveCalls } from '../service/serve-calls';

/** A replica of a service that answers the questions of the suite; a test may have it die in the next addition. */
export interface AnsweringTask {
  readonly url: string;
  readonly schema: string;
  readonly secret: string;
}

/** Said once it listens. */
export interface Answering {
  readonly url: string;
}

/** Where it dies: before the addition is kept, or after it, before it has answered. */
export type Death = 'before' | 'after';

const quiet = (): void => undefined;
const log: Log = { info: quiet, warn: quiet, error: quiet };

if (require.main === module) void main(JSON.parse(process.argv[2] as string) as AnsweringTask);

async function main({ url: connectionString, schema, secret }: AnsweringTask): Promise<void> {
  process.on('disconnect', () => process.exit());
  let death: Death | 'end' | null = null;
  process.on('message', (message) => {
    death = message as Death | 'end';
    if (death === 'end') process.exit();
    process.send?.('armed');
  });
  const pass = (point: Death): void => {
    if (death === point) process.kill(process.pid, 'SIGKILL');
  };

  const schemas = [schema];
  const readModels = postgresReadModels({ connectionString, schemas, migrations: [], log });
  await readModels.start();
  const additions = `${schema}.additions`;
  await readModels.query(
    `create table if not exists ${additions} (command_id text primary key, total int not null)`,
  );
  const local_calls = inProcessCalls(realDelays);
  answerSums(local_calls, {
    async add(command_id, by) {
      pass('before');
      const total = await readModels.transaction(async (tx) => {
        await tx.query(`lock table ${additions} in share row exclusive mode`);
        await tx.query(
          `insert into ${additions} select $1, coalesce(max(total), 0) + $2::int from ${additions}
            on conflict do nothing`,
          [command_id, by],
        );
        const sql = `select total from ${additions} where command_id = $1`;
        const [row] = await tx.query<{ total: number }>(sql, [command_id]);
        return Number(row?.total);
      });
      pass('after');
      return total;
    },
  });
  const standing = { leads: false };
  postgresLeases({ connectionString, schema, log }).lead('sums', async () => {
    standing.leads = true;
    return { stop: async () => void (standing.leads = false) };
  });
  const seal = hmacSeal({ secret, clock: systemClock() });
  const ports = { local_calls, standing, seal, log, telemetry: noTelemetry };
  const { url } = await serveCalls(ports, { host: '127.0.0.1', port: 0 });
  process.send?.({ url } satisfies Answering);
}
