import {
  idOf,
  OneTimeCodes,
  streamName,
  type KeyRing,
  type Runtime,
  type StreamName,
  type TryLimit,
} from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import type { MailTable } from '@tender/mail';

/** For one payment and e-mail, from all addresses together (specification §2.10); `RATE_LIMITS=off` lifts it. */
export const CODE_REQUESTS: TryLimit = { tries_max: 3, span_ms: 60 * 60_000 };

/** Mails of refunds and disputes. */
export const MAILS: MailTable = 'refunds_disputes.mails';

/** The codes that customers open disputes with (S28). */
export const disputeCodes = (
  runtime: Pick<Runtime, 'readModels' | 'keyRing' | 'clock' | 'random'>,
  asks: TryLimit | null,
): OneTimeCodes =>
  new OneTimeCodes(runtime, { schema: 'refunds_disputes', purpose: 'dispute', asks });

/** Which payment, and which e-mail: a code of another one of either is none (S28). No row holds the address. */
export function accountOf(
  { idBytes }: Pick<KeyRing, 'idBytes'>,
  payment_id: string,
  email: string,
): string {
  const scope = `dispute-code|${payment_id}|${email.trim().toLowerCase()}`;
  return `${payment_id}|${idBytes(scope).subarray(0, 16).toString('hex')}`;
}

const NOUN = 'disputeCode';

/** Where a mail’s row says what it is about. No events are there: a code is none. */
export const placeOf = (mode: Mode, account: string): StreamName => streamName(NOUN, mode, account);

export function codeAt(place: StreamName): {
  readonly account: string;
  readonly payment_id: string;
} {
  const account = idOf(place);
  const [payment_id = ''] = account.split('|');
  return { account, payment_id };
}
