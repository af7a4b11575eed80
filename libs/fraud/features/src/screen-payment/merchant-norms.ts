import type { Sql } from '@tender/eventing';
import { medianOf } from '@tender/fraud-domain';
import type { Mode } from '@tender/kernel';
import { LRUCache } from 'lru-cache';
import { amountsOf } from './screening.record';

const MERCHANTS_MAX = 50_000;
/** A norm is of the newest payments. */
export const NORM_PAYMENTS_MAX = 100;
/** So soon it knows of what other replicas have screened. */
const KNOWN_FOR_MS = 60_000;

interface Norm {
  readonly amounts: Map<string, bigint>;
  read_at_ms: number;
}

interface Owner {
  readonly mode: Mode;
  readonly merchant_id: string;
}

/** What each merchant is usually paid: read once, then kept in memory and read again behind answers. */
export class MerchantNorms {
  private readonly norms = new LRUCache<string, Promise<Norm>>({ max: MERCHANTS_MAX });

  constructor(
    private readonly sql: Sql,
    private readonly wall: () => number,
  ) {}

  /** Of the payments before this one; null while there are too few. */
  async median(owner: Owner, payment_id: string): Promise<bigint | null> {
    const { amounts } = await this.normOf(owner);
    const others = amounts.has(payment_id)
      ? [...amounts].flatMap(([id, amount]) => (id === payment_id ? [] : [amount]))
      : [...amounts.values()];
    return medianOf(others);
  }

  async note(owner: Owner, payment_id: string, amount: bigint): Promise<void> {
    add((await this.normOf(owner)).amounts, payment_id, amount);
  }

  private async normOf(owner: Owner): Promise<Norm> {
    const key = `${owner.mode}|${owner.merchant_id}`;
    const known = this.norms.get(key);
    if (!known) return this.begin(key, owner);
    const norm = await known;
    if (this.wall() - norm.read_at_ms > KNOWN_FOR_MS) {
      norm.read_at_ms = this.wall();
      void this.readAgain(owner, norm);
    }
    return norm;
  }

  private begin(key: string, owner: Owner): Promise<Norm> {
    const reading = amountsOf(this.sql, owner, NORM_PAYMENTS_MAX).then((amounts) => ({
      amounts: new Map(amounts),
      read_at_ms: this.wall(),
    }));
    this.norms.set(key, reading);
    reading.catch(() => this.norms.delete(key));
    return reading;
  }

  /** What cannot be read now is read in a minute. */
  private async readAgain(owner: Owner, norm: Norm): Promise<void> {
    const read = await amountsOf(this.sql, owner, NORM_PAYMENTS_MAX).catch(
      () => new Map<string, bigint>(),
    );
    for (const [payment_id, amount] of read) add(norm.amounts, payment_id, amount);
  }
}

function add(amounts: Map<string, bigint>, payment_id: string, amount: bigint): void {
  if (amounts.has(payment_id)) return;
  amounts.set(payment_id, amount);
  const [oldest] = amounts.keys();
  if (amounts.size > NORM_PAYMENTS_MAX && oldest !== undefined) amounts.delete(oldest);
}
