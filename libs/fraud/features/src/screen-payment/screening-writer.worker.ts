import { pause, type Log, type Sql } from '@tender/eventing';
import { writeScreenings, type ScreeningRow } from './screening.record';

/** Screenings of one moment share a statement. */
const GATHER_MS = 50;
const RETRY_MS = 1000;
const WAITING_MAX = 10_000;

/**
 * Writes screenings behind their answers. What `kill -9` takes is what nothing was made of within the last
 * milliseconds: a review or a block is in the log before it is answered.
 */
export class ScreeningWriter {
  private waiting: ScreeningRow[] = [];
  private writing: Promise<void> | null = null;
  private hurry = new AbortController();

  constructor(
    private readonly sql: Sql,
    private readonly log: Log,
    /** Names this replica among the rows. */
    readonly writer: string,
  ) {}

  add(row: ScreeningRow): void {
    this.waiting.push(row);
    this.writing ??= this.write().finally(() => {
      this.writing = null;
      this.hurry = new AbortController();
    });
  }

  /** What was added is in the table, or was given up because the database does not take it. */
  async flush(): Promise<void> {
    this.hurry.abort();
    await this.writing;
  }

  private async write(): Promise<void> {
    await pause(GATHER_MS, this.hurry.signal);
    while (this.waiting.length > 0) {
      const rows = this.waiting;
      this.waiting = [];
      try {
        await writeScreenings(this.sql, this.writer, rows);
      } catch {
        this.log.warn({ screenings: rows.length }, 'screenings could not be written');
        this.waiting = [...rows, ...this.waiting].slice(-WAITING_MAX);
        if (this.hurry.signal.aborted) return;
        await pause(RETRY_MS, this.hurry.signal);
      }
    }
  }
}
