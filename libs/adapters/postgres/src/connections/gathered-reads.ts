type Rows<Row> = readonly Row[];

interface GatheredReadsOptions<Key, Row> {
  readonly read: (keys: readonly Key[]) => Promise<Rows<Row>>;
  /** What a row was asked for by. */
  readonly keyOf: (row: Row) => Key;
  /** Of one read; all of a turn unless told. */
  readonly keys_max?: number;
}

/**
 * Keys that are asked for in one turn of the event loop are read by one query, each once: a query costs a busy process
 * more than its rows do. At rest each is alone in its turn, and none waits. What was written before a key was asked
 * for is in the answer, as if each had its own query. A query may also write what is not there yet.
 */
export class GatheredReads<Key, Row> {
  private turn: Map<Key, PromiseWithResolvers<Rows<Row>>> | null = null;

  constructor(private readonly options: GatheredReadsOptions<Key, Row>) {}

  load(key: Key): Promise<Rows<Row>> {
    if (this.turn === null) {
      this.turn = new Map();
      setImmediate(() => this.readAll());
    }
    const { turn } = this;
    const waiting = turn.get(key) ?? Promise.withResolvers<Rows<Row>>();
    turn.set(key, waiting);
    if (turn.size === this.options.keys_max) this.readAll();
    return waiting.promise;
  }

  private readAll(): void {
    const { turn } = this;
    this.turn = null;
    if (turn) void this.answer(turn);
  }

  private async answer(turn: ReadonlyMap<Key, PromiseWithResolvers<Rows<Row>>>): Promise<void> {
    const { read, keyOf } = this.options;
    try {
      const rows = Map.groupBy(await read([...turn.keys()]), keyOf);
      for (const [key, { resolve }] of turn) resolve(rows.get(key) ?? []);
    } catch (error) {
      for (const { reject } of turn.values()) reject(error);
    }
  }
}
