import { postgresLeases, postgresReadModels } from '../index';
import { realDelays } from '../connections/real-delays';
import { silentLog } from './quiet-ports';

/** Leads, and moves a checkpoint while it does: says `leading`, `moved`, `fenced`, `stopped`. */
export interface LeaseTask {
  readonly url: string;
  readonly schema: string;
  readonly name: string;
}

const MOVE_MS = 20;

if (require.main === module) void main(JSON.parse(process.argv[2] as string) as LeaseTask);

async function main({ url, schema, name }: LeaseTask): Promise<void> {
  process.on('disconnect', () => process.exit());
  const readModels = postgresReadModels({
    ...{ connectionString: url, schemas: [schema], migrations: [], log: silentLog, pool_max: 2 },
  });
  await readModels.start();
  let sleepy = false;
  const leases = postgresLeases({ connectionString: url, schema, log: silentLog });
  leases.lead(name, async () => {
    await readModels.checkpoint(schema, name);
    let stopped = false;
    let position = 0;
    const move = async (): Promise<void> => {
      while (!stopped) {
        position += 1;
        const saved = await readModels
          .transaction((tx) => readModels.saveCheckpoint(tx, schema, name, String(position)))
          .then(
            () => true,
            () => false,
          );
        process.send?.(saved ? 'moved' : 'fenced');
        await new Promise<void>((resolve) => realDelays.after(MOVE_MS, resolve));
        if (sleepy) process.kill(process.pid, 'SIGSTOP');
        sleepy = false;
      }
    };
    const moving = move();
    process.send?.('leading');
    return {
      async stop() {
        stopped = true;
        await moving;
        readModels.release(schema, name);
        process.send?.('stopped');
      },
    };
  });
  process.on('message', (message) => {
    if (message === 'sleep') sleepy = true;
    else void leases.close().then(() => process.exit());
  });
}
