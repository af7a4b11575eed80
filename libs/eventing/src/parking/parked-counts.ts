import type { StreamMode } from '../events/event';
import { WAITS_FOR_OPERATOR } from './parking';
import type { Publishing } from '../publishing/publish';
import type { Sql } from '../ports/read-models';
import type { Reading } from '../ports/telemetry';

/** Rows of one schema that are counted at most: more would make a scrape slow, and means the same. */
const COUNTED_MAX = 10_000;

export interface ParkedCount {
  readonly consumer: string;
  readonly mode: StreamMode;
  readonly messages: number;
  readonly for_operator: number;
}

/** What consumers of one schema have put aside, of all unless told; at most `most` rows are looked at. */
export function countParked(
  sql: Sql,
  schema: string,
  consumers: readonly string[] | null = null,
  most: number | null = null,
): Promise<ParkedCount[]> {
  return sql.query<ParkedCount>(
    `select consumer, mode, count(*)::int as messages,
       (count(*) filter (where ${WAITS_FOR_OPERATOR}))::int as for_operator
     from (select consumer, mode, next_try_at from ${schema}.parked
           where $1::text[] is null or consumer = any($1) limit $2) as counted
     group by consumer, mode order by consumer, mode`,
    [consumers, most],
  );
}

/** What the consumers of this process have put aside, one question per context; none counts as 0. */
export class ParkedCounts {
  private readonly modes = new Map<string, Set<StreamMode>>();

  constructor(
    private readonly sql: Sql,
    private readonly contexts: readonly Pick<Publishing, 'name' | 'schema'>[],
  ) {}

  /** The modes that the consumer turns out to have are added to the answer. */
  add(consumer: string): Set<StreamMode> {
    const modes = new Set<StreamMode>();
    this.modes.set(consumer, modes);
    return modes;
  }

  remove(consumer: string): void {
    this.modes.delete(consumer);
  }

  async read(): Promise<Reading<'tender_parked_messages'>[]> {
    const readings = this.contexts.map(async ({ name, schema }) => {
      const consumers = [...this.modes.keys()].filter((consumer) => consumer.startsWith(`${name}.`));
      return consumers.length === 0 ? [] : this.readingsOf(schema, consumers);
    });
    return (await Promise.all(readings)).flat();
  }

  private async readingsOf(schema: string, consumers: readonly string[]) {
    const rows = await countParked(this.sql, schema, consumers, COUNTED_MAX);
    return consumers.flatMap((consumer) => {
      const own = rows.filter((row) => row.consumer === consumer);
      const modes = new Set([...(this.modes.get(consumer) ?? []), ...own.map(({ mode }) => mode)]);
      return [...modes].flatMap((mode) => {
        const { messages = 0, for_operator = 0 } = own.find((row) => row.mode === mode) ?? {};
        return [
          { value: messages - for_operator, labels: { consumer, mode, state: 'retrying' } },
          { value: for_operator, labels: { consumer, mode, state: 'waiting' } },
        ];
      });
    });
  }
}
