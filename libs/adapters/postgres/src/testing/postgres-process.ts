import { startServer } from './test-postgres';

/** What a crash of the machine would lose, no spec looks at; hundreds of small databases come and go. */
const FOR_SPECS = ['fsync=off', 'full_page_writes=off', 'max_connections=400', 'max_wal_size=2GB'];

/** The Postgres that all specs of a run share: `scripts/test-servers.mjs` starts it, says where it is, and ends it. */
async function main(): Promise<void> {
  const server = await startServer(FOR_SPECS);
  const stop = () => void server.stop().then(() => process.exit());
  process.once('SIGTERM', stop);
  process.once('disconnect', stop);
  process.send?.({ type: 'ready', url: server.url });
}

void main();
