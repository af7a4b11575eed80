import { recentlyUsed, type Sql } from '@tender/eventing';
import { Norm, NORM_PAYMENTS_MAX } from '@tender/fraud-domain';
import type { Mode } from '@tender/kernel';
import { amountsOf } from './screening.record';

const MERCHANTS_MAX = 50_000;
/** So soon it knows of what other replicas have screened. */
const KNOWN_FOR_MS = 60_000;

interface Known {
  readonly norm: Norm;
  read_at_ms: number;
}

interface Owner {
  readonly mode: Mode;
  readonly merchant_id: string;
}

/** What each merchant is usually paid: read once, then kept in memory and read again behind answers. */
export class MerchantNorms {
  private readonly norms = recentlyUsed<Promise<Known>>(MERCHANTS_MAX);

  constructor(
    private readonly sql: Sql,
    private readonly wall: () => number,
  ) {}

  async of(owner: Owner): Promise<Norm> {
    const key = `${owner.mode}|${owner.merchant_id}`;
    const known = await (this.norms.get(key) ?? this.begin(key, owner));
    if (this.wall() - known.read_at_ms > KNOWN_FOR_MS) {
      known.read_at_ms = this.wall();
      void this.readAgain(owner, known.norm);
    }
    return known.norm;
  }

  private begin(key: string, owner: Owner): Promise<Known> {
    const reading = this.read(owner, new Norm()).then((norm) => ({
      norm,
      read_at_ms: this.wall(),
    }));
    this.norms.set(key, reading);
    reading.catch(() => this.norms.delete(key));
    return reading;
  }

  private async read(owner: Owner, norm: Norm): Promise<Norm> {
    const amounts = await amountsOf(this.sql, owner, NORM_PAYMENTS_MAX);
    for (const [payment_id, amount] of amounts) norm.add(payment_id, amount);
    return norm;
  }

  /** What cannot be read now is read in a minute. */
  private async readAgain(owner: Owner, norm: Norm): Promise<void> {
    await this.read(owner, norm).catch(() => undefined);
  }
}
