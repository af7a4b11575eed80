/** Each look takes longer to come than the last, up to this. */
const SLOWEST_MS = 5_000;
const FIRST_MS = 1_000;
const GROWTH = 1.5;
/** In a tab that is not seen. */
const HIDDEN_FACTOR = 3;
/** So many looks are quick after something that is about to show, whatever the stream tells. */
const QUICK_LOOKS = 5;
/** While the stream tells of the status: for what it does not tell of, such as money that does not pay. */
const BESIDE_STREAM_MS = 15_000;

/**
 * Calls `look` whenever the payment may have changed: told by the stream, and by the clock where the stream is silent
 * or cannot be had. Returns what ends it, and what makes it look at once and quickly again.
 */
export function followPayment(payment_id: string, look: () => Promise<void>) {
  let pause_ms = FIRST_MS;
  let quick_looks = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let is_streaming = false;
  let has_ended = false;
  const stream = new EventSource(`/api/v1/payments/${payment_id}/status/stream`);
  stream.addEventListener('open', () => {
    is_streaming = true;
  });
  stream.addEventListener('status', () => void lookNow());
  stream.addEventListener('error', () => {
    is_streaming = false;
    hurry();
  });
  const seen = () => {
    if (document.visibilityState === 'visible') hurry();
  };
  document.addEventListener('visibilitychange', seen);
  wait();
  return { end, hurry };

  function wait(): void {
    if (has_ended) return;
    const hidden = document.visibilityState === 'hidden' ? HIDDEN_FACTOR : 1;
    const may_rest = is_streaming && quick_looks <= 0;
    timer = setTimeout(() => void lookNow(), (may_rest ? BESIDE_STREAM_MS : pause_ms) * hidden);
    quick_looks -= 1;
    pause_ms = Math.min(SLOWEST_MS, pause_ms * GROWTH);
  }

  async function lookNow(): Promise<void> {
    clearTimeout(timer);
    if (has_ended) return;
    await look();
    clearTimeout(timer);
    wait();
  }

  function hurry(): void {
    pause_ms = FIRST_MS;
    quick_looks = QUICK_LOOKS;
    clearTimeout(timer);
    wait();
  }

  function end(): void {
    has_ended = true;
    clearTimeout(timer);
    stream.close();
    document.removeEventListener('visibilitychange', seen);
  }
}
