import { memoryEventStore, seededRandom } from '@tender/adapter-memory';
import { operatorSources } from '@tender/adapter-outbound';
import { importList } from '../sanctions/import-list';

/** Imports the list at a path, in a process of its own; tells how many wallets it named, and its greatest memory. */
async function main(path: string): Promise<void> {
  const clock = { now: Date.now, wall: Date.now };
  let wallets = 0;
  const readModels = {
    async query(text: string, [, staged]: readonly unknown[] = []) {
      if (text.includes('count(*)')) return [{ wallets }];
      if (!text.includes('insert into fraud.sanctioned_wallets')) return [];
      wallets += (staged as readonly string[]).length;
      return staged as readonly string[];
    },
  };
  const { chunks } = await operatorSources(clock).open(path, new AbortController().signal);
  const eventStore = memoryEventStore(clock);
  const runtime = { eventStore, clock, random: seededRandom(1), readModels };
  const source = { chunks: chunks ?? [], as_of: new Date().toISOString() };
  const { list } = await importList(runtime as never, source as never);
  process.send?.({ list, peak_mb: process.resourceUsage().maxRSS / 1024 });
}

void main(process.argv[2] ?? '').finally(() => process.disconnect());
