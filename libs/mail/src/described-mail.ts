import type { Mailbox, MailLanguage, OutgoingMail } from '@tender/eventing';

/** What stands in a mail, one below the other. */
export type MailPart =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'facts'; readonly rows: readonly MailFact[] }
  | { readonly kind: 'action'; readonly label: string; readonly url: string };

/** `Due: 30 November 2026`. */
export interface MailFact {
  readonly label: string;
  readonly value: string;
}

export interface Shop {
  readonly name: string;
  readonly support_email: string;
}

/** A mail before it has a form. Words are in `language`; any text may come from strangers. */
export interface DescribedMail extends Pick<OutgoingMail, 'id' | 'mode' | 'merchant_id'> {
  readonly language: MailLanguage;
  readonly to: Mailbox;
  /** In whose name it is sent, and where its answer goes; null: in Tender’s own, and its answer goes nowhere. */
  readonly shop: Shop | null;
  readonly subject: string;
  readonly title: string;
  readonly parts: readonly MailPart[];
  /** Why this person gets it, in a sentence: `You get it because …`. */
  readonly why: string;
}
