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
  const memory = new PeakMemory();
  const source = { chunks: memory.lookedAtWith(chunks ?? []), as_of: new Date().toISOString() };
  const { list } = await importList(runtime as never, source as never);
  process.send?.({ list, peak_mb: memory.peak_mb() });
}

/** Looked at by itself: what the system counts as a process's greatest memory may be that of the one that forked it. */
class PeakMemory {
  private peak = 0;

  async *lookedAtWith<Piece>(pieces: AsyncIterable<Piece> | Iterable<Piece>) {
    for await (const piece of pieces) {
      this.look();
      yield piece;
    }
  }

  peak_mb(): number {
    this.look();
    return this.peak / 1024 / 1024;
  }

  private look(): void {
    this.peak = Math.max(this.peak, process.memoryUsage.rss());
  }
}

void main(process.argv[2] ?? '').finally(() => process.disconnect());
