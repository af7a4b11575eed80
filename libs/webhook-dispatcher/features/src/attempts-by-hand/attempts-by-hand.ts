import { ApiError } from '@tender/http';
import { ATTEMPT_TIMEOUT_MS } from '../send-deliveries/attempt/attempt-delivery';

/** A small share of the requests that a gateway lets in at once: silent receivers fill no house. */
export const ATTEMPTS_MAX = 20;
export const ATTEMPTS_PER_MERCHANT_MAX = 2;

const RETRY_AFTER_SECONDS = String(ATTEMPT_TIMEOUT_MS / 1000);

/**
 * Requests that wait for a receiver (a test, a retry by hand) hold their places here and at the gateway for as long
 * as the receiver is silent. There are few of them, and each merchant has fewer still.
 */
export class AttemptsByHand {
  private under_way = 0;
  private readonly by_merchant = new Map<string, number>();

  /** Does the work if there is a place for it; otherwise 503, and nothing has been begun. */
  async attempt<Result>(merchant_id: string, work: () => Promise<Result>): Promise<Result> {
    const own = this.by_merchant.get(merchant_id) ?? 0;
    if (own >= ATTEMPTS_PER_MERCHANT_MAX) throw busy('Your earlier tests and retries');
    if (this.under_way >= ATTEMPTS_MAX) throw busy('Other tests and retries');
    this.under_way += 1;
    this.by_merchant.set(merchant_id, own + 1);
    try {
      return await work();
    } finally {
      this.leave(merchant_id);
    }
  }

  private leave(merchant_id: string): void {
    this.under_way -= 1;
    const left = (this.by_merchant.get(merchant_id) ?? 0) - 1;
    if (left > 0) this.by_merchant.set(merchant_id, left);
    else this.by_merchant.delete(merchant_id);
  }
}

const busy = (who: string): ApiError =>
  new ApiError(
    503,
    'service_unavailable',
    `${who} still wait for their receivers. Nothing was sent; try again when they have ended.`,
    {},
    { 'Retry-After': RETRY_AFTER_SECONDS },
  );
