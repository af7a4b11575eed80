import { categoryOf, type Category, type StoredEvent } from '@tender/eventing';

interface Recent {
  readonly position: number;
  readonly category: Category;
  readonly event: StoredEvent;
}

/** The newest committed events in memory, so that followers which keep up read nothing back. */
export class RecentEvents {
  private readonly ring: (Recent | undefined)[];
  private written = 0;
  /** Of those written, how many are no longer kept. */
  private released = 0;
  /** Everything that was committed after this position is here. */
  private floor = 0;

  constructor(private readonly capacity: number) {
    this.ring = new Array<Recent | undefined>(capacity);
  }

  /** Forgets all; events after `position` will come. */
  reset(position: number): void {
    this.ring.fill(undefined);
    this.written = 0;
    this.released = 0;
    this.floor = position;
  }

  /** No follower reads these any more: what is let go of while it is young is cheap to collect. */
  release(until: number): void {
    for (; this.released < this.written; this.released += 1) {
      const slot = this.released % this.capacity;
      const oldest = this.ring[slot] as Recent;
      if (oldest.position > until) return;
      this.floor = oldest.position;
      this.ring[slot] = undefined;
    }
  }

  push(event: StoredEvent): void {
    const slot = this.written % this.capacity;
    const evicted = this.ring[slot];
    if (evicted) {
      this.floor = evicted.position;
      this.released += 1;
    }
    const position = Number(event.position);
    this.ring[slot] = { position, category: categoryOf(event.stream), event };
    this.written += 1;
  }

  /** Null when some of them are no longer here. */
  read(
    categories: ReadonlySet<Category>,
    after: number,
    until: number,
    limit: number,
  ): StoredEvent[] | null {
    if (after < this.floor) return null;
    const found: StoredEvent[] = [];
    for (let index = this.firstAfter(after); index < this.written; index += 1) {
      const { position, category, event } = this.ring[index % this.capacity] as Recent;
      if (position > until || found.length >= limit) break;
      if (categories.has(category)) found.push(event);
    }
    return found;
  }

  /** False also where that is not known here. */
  hasNone(categories: ReadonlySet<Category>, after: number, until: number): boolean {
    return this.read(categories, after, until, 1)?.length === 0;
  }

  private firstAfter(position: number): number {
    let low = this.released;
    let high = this.written;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.ring[middle % this.capacity] as Recent).position <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
