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

/** billing: the newest mails that it keeps, newest first; null where mails leave the program. */
export const readInbox = call<InboxQuestion, { readonly mails: readonly KeptMail[] | null }>(
  'billing.read-inbox',
  { deadline_ms: 5_000 },
);
