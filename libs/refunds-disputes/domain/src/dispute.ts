import type { Mode } from '@tender/kernel';

export type DisputeTypeName = 'duplicate' | 'unauthorized' | 'product_not_received' | 'other';

export type DisputeResolution =
  | 'resolved_merchant_favor'
  | 'resolved_customer_favor'
  | 'closed';
export type DisputeStatusName = 'open' | 'under_review' | DisputeResolution;

/** What a customer complains of: fixed when it is opened. */
export interface DisputeTerms {
  readonly dispute_id: string;
  readonly payment_id: string;
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly dispute_type: DisputeTypeName;
  /** The id of the code that it was opened with, which opens no other one (S28); the code itself is nowhere. */
  readonly opened_with: string;
  /** The customer’s own words and evidence: personal data, sealed under `customer_subject`. JSON for the evidence. */
  readonly customer_subject: string;
  readonly customer_email_sealed: string;
  readonly description_sealed: string;
  readonly evidence_sealed: string | null;
  /** The wallet that paid. */
  readonly customer_wallet: string | null;
  /** The payment’s own webhook URL. */
  readonly webhook_url: string | null;
  /** ISO 8601 with milliseconds, UTC, business time. */
  readonly opened_at: string;
}

/** The merchant’s answer. */
export interface DisputeResponse {
  readonly response: string;
  readonly evidence: Readonly<Record<string, unknown>> | null;
  readonly responded_at: string;
}

/** Its end. */
export interface Resolved {
  readonly resolution: DisputeResolution;
  readonly resolved_by: 'merchant' | 'admin';
  /** An admin’s. */
  readonly notes: string | null;
  /** That it was resolved with. */
  readonly refund_id: string | null;
  readonly resolved_at: string;
}

export interface Dispute {
  readonly status: DisputeStatusName;
  readonly terms: DisputeTerms;
  readonly response: DisputeResponse | null;
  readonly resolved: Resolved | null;
}

export interface DisputeOpened {
  readonly type: 'DisputeOpened';
  readonly data: { readonly dispute: DisputeTerms };
}
export interface DisputeResponded {
  readonly type: 'DisputeResponded';
  readonly data: { readonly dispute: DisputeTerms; readonly response: DisputeResponse };
}
export interface DisputeResolved {
  readonly type: 'DisputeResolved';
  readonly data: {
    readonly dispute: DisputeTerms;
    readonly response: DisputeResponse | null;
    readonly resolved: Resolved;
  };
}

export type DisputeEvent = DisputeOpened | DisputeResponded | DisputeResolved;

export const isResolved = ({ resolved }: Pick<Dispute, 'resolved'>): boolean => resolved !== null;

/** The dispute right after this event, made from the event alone: what is published. */
export function disputeAfter(event: DisputeEvent): Dispute {
  const { dispute: terms } = event.data;
  switch (event.type) {
    case 'DisputeOpened':
      return { status: 'open', terms, response: null, resolved: null };
    case 'DisputeResponded':
      return { status: 'under_review', terms, response: event.data.response, resolved: null };
    case 'DisputeResolved': {
      const { response, resolved } = event.data;
      return { status: resolved.resolution, terms, response, resolved };
    }
  }
}
