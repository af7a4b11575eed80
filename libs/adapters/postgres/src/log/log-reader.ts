import { Pool } from 'pg';
import {
  LAG_EVENTS_MAX,
  type Category,
  type Lag,
  type Log,
  type Position,
  type StoredEvent,
  type StreamName,
} from '@tender/eventing';
import type { Clock } from '@tender/kernel';
import type { Statement } from '../connections/ask';
import { CuttablePool } from '../connections/cuttable-pool';
import { GatheredLoads } from './gathered-loads';
import {
  SELECT_LAG,
  SELECT_NEWEST,
  selectAfter,
  selectStreams,
} from './event-rows';

const PART = 'event log';
const READERS_MAX = 4;
/** A process that starts on a busy machine may not get to its own connection for seconds. */
const CONNECT_MS = 10_000;

/** Reads the log's table, whether one process writes it or several. */
export class LogReader {
  private readonly pool: Pool;
  private readonly cuttable: CuttablePool;
  private readonly loads = new GatheredLoads((streams) => this.rows(selectStreams(streams)));

  constructor(
    connectionString: string,
    private readonly clock: Pick<Clock, 'wall'>,
    log: Log,
  ) {
    this.pool = new Pool({
      connectionString,
      application_name: 'tender log reader',
      max: READERS_MAX,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      options: '-c enable_seqscan=off -c jit=off',
    });
    this.pool.on('error', (error) => log.warn({ err: error }, 'a log reader lost its connection'));
    this.cuttable = new CuttablePool(this.pool, PART);
  }

  load(stream: StreamName): Promise<readonly StoredEvent[]> {
    return this.loads.load(stream);
  }

  async after(
    categories: ReadonlySet<Category>,
    after: number,
    until: number,
    limit: number,
  ): Promise<readonly StoredEvent[]> {
    return this.rows<StoredEvent>(selectAfter([...categories], after, until, limit));
  }

  /** Position of the newest committed event; 0 when there is none. */
  async newest(): Promise<number> {
    const [row] = await this.rows<{ newest: string }>({ text: SELECT_NEWEST });
    return Number(row?.newest);
  }

  async newestPosition(): Promise<Position | null> {
    const newest = await this.newest();
    return newest === 0 ? null : String(newest);
  }

  async lag(categories: readonly Category[], from: Position | null): Promise<Lag> {
    const values = [categories, from ?? '0', LAG_EVENTS_MAX + 1];
    const [row] = await this.rows<{ events: number; oldest: string | null }>({
      text: SELECT_LAG,
      values,
    });
    const { events, oldest } = row ?? { events: 0, oldest: null };
    const age_ms = oldest === null ? 0 : this.clock.wall() - Date.parse(oldest);
    return {
      events: Math.min(events, LAG_EVENTS_MAX),
      capped: events > LAG_EVENTS_MAX,
      seconds: Math.max(0, age_ms / 1_000),
    };
  }

  isWaiting(): boolean {
    return this.cuttable.isWaiting();
  }

  /** What is being read fails now; nothing is read until the answer is called. */
  cutOff(): () => void {
    return this.cuttable.cutOff();
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  private async rows<Row extends object>(statement: Statement): Promise<Row[]> {
    return (await this.cuttable.query<Row>(statement)).rows;
  }
}
