import { join } from 'node:path';
import { runEventStoreDouble } from './double';
import type { Faults } from './faults';

const DEFAULT_PORT = 2113;

/** What a parent may ask of its double. */
interface Wish {
  readonly type: 'misbehave';
  readonly number: number;
  readonly faults: Faults;
}

async function main(): Promise<void> {
  const supervised = process.send !== undefined;
  const { EVENTSTORE_DOUBLE_DATA_DIR, EVENTSTORE_DOUBLE_PORT, EVENTSTORE_DOUBLE_FAULTS } = process.env;
  const port = EVENTSTORE_DOUBLE_PORT ? Number(EVENTSTORE_DOUBLE_PORT) : undefined;
  const double = await runEventStoreDouble({
    dataDir: EVENTSTORE_DOUBLE_DATA_DIR ?? join(process.cwd(), '.data', 'eventstore-double'),
    port: port ?? (supervised ? undefined : DEFAULT_PORT),
  });
  if (EVENTSTORE_DOUBLE_FAULTS) double.misbehave(JSON.parse(EVENTSTORE_DOUBLE_FAULTS) as Faults);
  const stop = (): void => {
    double.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', stop);
  if (!supervised) {
    process.on('SIGINT', stop);
    process.stdout.write(`EVENTSTORE_URL=${double.connection_string}  (a test double, not a store)\n`);
    return;
  }
  // Ctrl-C reaches the whole process group; the parent decides when its store stops.
  process.on('SIGINT', () => undefined);
  process.on('disconnect', stop);
  process.on('message', (wish: Wish) => {
    double.misbehave(wish.faults);
    process.send?.({ type: 'misbehaving', number: wish.number });
  });
  if (process.connected) process.send?.({ type: 'ready', url: double.connection_string });
  else stop();
}

main().catch((error: unknown) => {
  process.stderr.write(`eventstore-double: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
