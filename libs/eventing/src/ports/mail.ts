import type { StreamMode } from '../events/event';

export const MAIL_LANGUAGES = ['en', 'fr'] as const;
export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

/** A person with a mailbox; the name is what people read, and may be empty. */
export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/** One mail to one person. Its address of origin belongs to the program and is not in it. */
export interface OutgoingMail {
  /** The same each time that this mail is sent: its Message-ID follows from it. */
  readonly id: string;
  readonly mode: StreamMode;
  readonly merchant_id: string;
  readonly language: MailLanguage;
  /** Who sends, for people; stands before the program's own address. */
  readonly from_name: string;
  readonly to: Mailbox;
  /** Where an answer goes; null where it goes nowhere. */
  readonly reply_to: Mailbox | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Why a mail will never be taken as it is. `malformed`: a field cannot stand in a mail, and nothing was sent.
 * `sender_refused` is about us, our address or our right to send: it meets other mails too until the operator mends it.
 */
export type MailRefusal = 'malformed' | 'sender_refused' | 'recipient_refused' | 'message_refused';

export type MailOutcome =
  | { readonly taken: true }
  | {
      readonly taken: false;
      readonly refusal: MailRefusal;
      /** The field, or the server's codes (`550 5.1.1`): neither an address nor anything that the mail says. */
      readonly detail: string;
    };

/** A mail that an inbox has taken. */
export interface InboxMail extends OutgoingMail {
  /** The same for each repeat of one mail. */
  readonly message_id: string;
  /** Business time, ISO 8601. */
  readonly sent_at: string;
}

export interface InboxFilter {
  /** Mails of this mode, and those that are of both. */
  readonly mode?: StreamMode;
  readonly merchant_id?: string;
  /** An address, in any case. */
  readonly to?: string;
}

/** Mails that went nowhere else, for people who try the program and for tests. Holds the newest ones only. */
export interface Inbox {
  /** Newest first. A mail that was sent twice is there twice. */
  list(filter?: InboxFilter): readonly InboxMail[];
}

/** The way to people's mailboxes. */
export interface Mail {
  /**
   * Resolves when the mail is taken, or never will be. Throws `Unavailable` when it has not been taken or may have
   * been: send the same mail again later. A person may then get it twice, with one Message-ID.
   */
  send(mail: OutgoingMail): Promise<MailOutcome>;
  /** Null where mails leave the program. */
  readonly inbox: Inbox | null;
}
