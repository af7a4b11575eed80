/** How many requests are let in at once: of all clients together, and of one address. */
export interface Share {
  readonly all: number;
  readonly per_address: number;
}

/** Taken of all, from which on places are scarce. */
const SCARCE = 3 / 4;
/** Of all, what one address may hold with unread answers where places are scarce: eight have half of them. */
const UNREAD = 1 / 16;

/** The places of one share. */
export class Places {
  /** Requests of one address that may have unread answers, where places are scarce. */
  readonly unread_max: number;
  private taken = 0;
  private readonly takenBy = new Map<string, number>();

  constructor(private readonly share: Share) {
    this.unread_max = Math.floor(share.all * UNREAD);
  }

  get are_scarce(): boolean {
    return this.taken >= this.share.all * SCARCE;
  }

  /** False when there is no place left, or none for this address. */
  take(address: string): boolean {
    const own = this.takenBy.get(address) ?? 0;
    if (this.taken >= this.share.all || own >= this.share.per_address) return false;
    this.taken += 1;
    this.takenBy.set(address, own + 1);
    return true;
  }

  /** None is left for this address, however many are left for others. */
  isFullFor(address: string): boolean {
    return (this.takenBy.get(address) ?? 0) >= this.share.per_address;
  }

  leave(address: string): void {
    const own = this.takenBy.get(address) ?? 0;
    this.taken -= 1;
    if (own > 1) this.takenBy.set(address, own - 1);
    else this.takenBy.delete(address);
  }
}
