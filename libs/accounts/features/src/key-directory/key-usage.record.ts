import { recentlyUsed, type Runtime } from '@tender/eventing';

/** A key in constant use is written this often; what is shown is exact all the same. */
const WRITE_EVERY_MS = 10_000;
const KEYS_REMEMBERED_MAX = 50_000;

const UPSERT = `insert into accounts.key_usage (key_id, last_used_ms)
  select key_id, last_used_ms from jsonb_to_recordset($1::jsonb) as fresh
    (key_id text, last_used_ms bigint)
  on conflict (key_id) do update
    set last_used_ms = greatest(key_usage.last_used_ms, excluded.last_used_ms)`;

interface Use {
  readonly at_ms: number;
  readonly written_ms: number;
}

/**
 * When each key was last used, in business time: clients see it. Kept in memory and written behind, in
 * batches that grow while a write is under way. A crash loses at most the last seconds of it.
 */
export class KeyUsage {
  private readonly uses = recentlyUsed<Use>(KEYS_REMEMBERED_MAX);
  private readonly unwritten = new Map<string, number>();
  private writing: Promise<void> | null = null;

  constructor(private readonly runtime: Pick<Runtime, 'readModels' | 'clock' | 'log'>) {}

  used(key_id: string): void {
    const at_ms = this.runtime.clock.now();
    const known = this.uses.get(key_id);
    const is_due = !known || at_ms - known.written_ms >= WRITE_EVERY_MS;
    this.uses.set(key_id, { at_ms, written_ms: is_due ? at_ms : known.written_ms });
    if (!is_due) return;
    this.unwritten.set(key_id, at_ms);
    this.writing ??= this.write();
  }

  /** Milliseconds; null when this process has not seen it used. */
  lastUsed(key_id: string): number | null {
    return this.uses.get(key_id)?.at_ms ?? null;
  }

  /** What is being written is written. */
  async close(): Promise<void> {
    await this.writing;
  }

  private async write(): Promise<void> {
    await Promise.resolve();
    while (this.unwritten.size > 0) {
      const rows = [...this.unwritten].map(([key_id, last_used_ms]) => ({ key_id, last_used_ms }));
      this.unwritten.clear();
      try {
        await this.runtime.readModels.query(UPSERT, [JSON.stringify(rows)]);
      } catch {
        this.runtime.log.warn({ keys: rows.length }, 'last use of keys could not be written');
      }
    }
    this.writing = null;
  }
}
