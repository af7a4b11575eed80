import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** How exactly the time of a commit is seen. */
const LOOK_MS = 3;
/** Where several connections commit, a position may become visible after a later one: looks that far back again. */
const AGAIN_LOOKS = 200;

/**
 * Sees rows as soon as others can read them. `query` takes a position and answers the later rows'
 * `position` and `id`, in the order of positions.
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
    const newest: string[] = ['0'];
    for (; !this.over; await sleep(LOOK_MS)) {
      const { rows } = await this.client.query<{ position: string; id: string }>({
        name: 'look',
        text: this.query,
        values: [newest[0]],
      });
      const at_ms = performance.timeOrigin + performance.now();
      for (const { id } of rows) if (!this.seen.has(id)) this.seen.set(id, at_ms);
      newest.push(rows.at(-1)?.position ?? (newest.at(-1) as string));
      if (newest.length > AGAIN_LOOKS) newest.shift();
    }
  }
}
