import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** How exactly the time of a commit is seen. */
const LOOK_MS = 3;

/**
 * Sees rows as soon as others can read them. `query` takes the last position seen and answers rows of
 * `position` and `id`.
 */
export class RowWatch {
  /** Id to the time (ms since 1970) at which its row could be read. */
  readonly seen = new Map<string, number>();
  private over = false;
  private readonly end: Promise<void>;

  private constructor(
    private readonly client: Client,
    private readonly query: string,
  ) {
    this.end = this.look();
  }

  static async start(connection_string: string, query: string): Promise<RowWatch> {
    const client = new Client({ connectionString: connection_string });
    await client.connect();
    return new RowWatch(client, query);
  }

  async stop(): Promise<void> {
    this.over = true;
    await this.end;
    await this.client.end();
  }

  private async look(): Promise<void> {
    for (let last = '0'; !this.over; await sleep(LOOK_MS)) {
      const { rows } = await this.client.query<{ position: string; id: string }>({
        name: 'look',
        text: this.query,
        values: [last],
      });
      const at_ms = performance.timeOrigin + performance.now();
      for (const { position, id } of rows) {
        this.seen.set(id, at_ms);
        last = position;
      }
    }
  }
}
