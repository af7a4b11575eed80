import { Readable } from 'node:stream';
import { isLast, saysTheSame, type KnownStatus } from './known-status';
import type { PaymentStatuses } from './payment-statuses';

/** More than the events of any payment take: a client that has not read so much reads no more. */
const WAITING_BYTES_MAX = 16 * 1024;

/** What a client that wants to listen gets. */
export type Listening = Readable | 'no_such_payment' | 'nothing_more';

/**
 * The statuses of one payment as server-sent events: the one of now at once, then each that differs, and after a last
 * one the end. `last_event_id`: what the client has heard before; where that was a last status there is nothing more.
 */
export async function statusStream(
  statuses: Pick<PaymentStatuses, 'find' | 'listen'>,
  payment_id: string,
  last_event_id: string | undefined,
): Promise<Listening> {
  let told: KnownStatus | null = null;
  let leave = (): void => undefined;
  const stream = new Readable({
    read: () => undefined,
    destroy(error, done) {
      leave();
      done(error);
    },
  });
  // Before the look-up: what happens meanwhile is told, and what was found is then old.
  leave = statuses.listen(payment_id, tell);
  try {
    const known = await statuses.find(payment_id);
    if (known && !hasHeardTheLast(known, last_event_id)) {
      tell(known);
      return stream;
    }
    stream.destroy();
    return known ? 'nothing_more' : 'no_such_payment';
  } catch (error) {
    stream.destroy();
    throw error;
  }

  function tell(status: KnownStatus): void {
    if (told && (told.revision >= status.revision || saysTheSame(told, status))) return;
    told = status;
    stream.push(eventOf(status));
    if (isLast(status)) {
      leave();
      stream.push(null);
    } else if (stream.readableLength > WAITING_BYTES_MAX) stream.destroy();
  }
}

const eventOf = ({ revision, answer }: KnownStatus): string =>
  `event: status\nid: ${revision}\ndata: ${JSON.stringify(answer)}\n\n`;

/** A last status never changes: any revision since it came is of it. */
function hasHeardTheLast(known: KnownStatus, last_event_id: string | undefined): boolean {
  return (
    isLast(known) &&
    last_event_id !== undefined &&
    /^\d{1,9}$/.test(last_event_id) &&
    Number(last_event_id) >= known.since
  );
}
