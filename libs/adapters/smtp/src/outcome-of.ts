import { Unavailable, type MailOutcome, type MailRefusal } from '@tender/eventing';
import type { NodemailerError } from 'nodemailer';

const PART = 'the mail server';

/** What the server says of the session, not of this mail: encrypt first, log in first. */
const OF_SESSION: readonly number[] = [530, 534, 535, 538];

const REFUSED_AT: Readonly<Record<string, MailRefusal>> = {
  'MAIL FROM': 'sender_refused',
  'RCPT TO': 'recipient_refused',
  DATA: 'message_refused',
};

/** Said of a recipient, but about us: our address (5.1.7, 5.1.8), or that we may not send by this server (5.7). */
const OF_SENDER = /^\d{3} 5\.(7\.\d+|1\.[78])$/;

/** For the operator. The library's own messages hold addresses, and the server's may repeat the mail. */
const REASONS: Readonly<Record<string, string>> = {
  EABORT: 'it did not take the mail in time',
  ETIMEDOUT: 'it did not answer in time',
  EDNS: 'its name does not resolve',
  ESOCKET: 'the connection failed',
  ECONNECTION: 'the connection was closed',
  ETLS: 'the connection cannot be encrypted',
  EAUTH: 'it does not take the login',
};

/** A permanent refusal of this mail; throws `Unavailable` for all else that may go wrong on the way. */
export function outcomeOf(thrown: unknown): MailOutcome {
  const error = (thrown ?? {}) as Partial<NodemailerError>;
  const codes = codesOf(error);
  const refusal = refusalOf(error, codes);
  if (refusal) return { taken: false, refusal, detail: codes ?? '' };
  const reason = REASONS[error.code ?? ''] ?? 'it did not take the mail';
  const detail = codes ?? error.originalCode;
  throw new Unavailable(PART, { reason: detail ? `${reason} (${detail})` : reason });
}

function refusalOf(
  { code, command, permanent, responseCode = 0 }: Partial<NodemailerError>,
  codes: string | null,
): MailRefusal | null {
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return null;
  if (!permanent || OF_SESSION.includes(responseCode)) return null;
  const refusal = REFUSED_AT[command ?? ''] ?? null;
  return refusal === 'recipient_refused' && OF_SENDER.test(codes ?? '') ? 'sender_refused' : refusal;
}

/** `550 5.1.1`: numbers alone, not the words after them. */
function codesOf({ response }: Partial<NodemailerError>): string | null {
  const [, reply, status] = /^(\d{3})[ -](\d\.\d{1,3}\.\d{1,3})?/.exec(response ?? '') ?? [];
  return reply ? [reply, status].filter(Boolean).join(' ') : null;
}
