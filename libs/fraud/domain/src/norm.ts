/** A merchant with fewer payments has no norm yet. */
const NORM_PAYMENTS_MIN = 20;
/** A norm is of the newest payments. */
export const NORM_PAYMENTS_MAX = 100;

/**
 * What a merchant is usually paid: the middle of its newest amounts, in USD cents. They are kept in order of size,
 * because each payment asks for the middle and adds one.
 */
export class Norm {
  private readonly amounts = new Map<string, bigint>();
  private readonly sorted: bigint[] = [];

  /** A payment counts once; the oldest gives way. */
  add(payment_id: string, amount: bigint): void {
    if (this.amounts.has(payment_id)) return;
    this.amounts.set(payment_id, amount);
    this.sorted.splice(this.placeOf(amount), 0, amount);
    for (const [oldest, its_amount] of this.amounts) {
      if (this.amounts.size <= NORM_PAYMENTS_MAX) return;
      this.amounts.delete(oldest);
      this.sorted.splice(this.placeOf(its_amount), 1);
    }
  }

  /** Of all payments but this one, rounded down to cents; null while they are too few. */
  medianWithout(payment_id: string): bigint | null {
    const own = this.amounts.get(payment_id);
    const left_out = own === undefined ? this.sorted.length : this.placeOf(own);
    const length = this.sorted.length - (own === undefined ? 0 : 1);
    if (length < NORM_PAYMENTS_MIN) return null;
    const at = (index: number): bigint =>
      this.sorted[index < left_out ? index : index + 1] as bigint;
    const middle = length >> 1;
    return length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2n;
  }

  /** Of the first amount that is not smaller. */
  private placeOf(amount: bigint): number {
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sorted[middle] as bigint) < amount) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
