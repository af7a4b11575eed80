import { call, type Mode } from '@tender/kernel';

export interface InboxQuestion {
  /** Null: of all merchants, in both modes. */
  readonly merchant: { readonly merchant_id: string; readonly mode: Mode } | null;
  /** An address, in any case. */
  readonly to: string | null;
}

/** A mail that went into an inbox instead of to a person. */
export interface KeptMail {
  /** The same for each repeat of one mail. */
  readonly id: string;
  readonly to: string;
  readonly from_name: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Business time, ISO 8601. */
  readonly sent_at: string;
}

/** The newest mails that the process of a context keeps, newest first; null where mails leave the program. */
const readInboxOf = (context: string) =>
  call<InboxQuestion, { readonly mails: readonly KeptMail[] | null }>(`${context}.read-inbox`, {
    deadline_ms: 5_000,
  });

export const readInbox = readInboxOf('billing');
/** Codes to open disputes with. */
export const readDisputeInbox = readInboxOf('refunds-disputes');

/** Of all that write to people beside the gateway. */
export const INBOXES = [readInbox, readDisputeInbox] as const;
