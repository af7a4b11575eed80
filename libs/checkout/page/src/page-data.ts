import type { LinkToShow, PaymentToShow } from '@tender/contracts';
import type { Language } from '@tender/page';

/** The dark modules of a QR code as one SVG path in a square of `size` units. */
export interface QrDrawing {
  readonly size: number;
  readonly path: string;
}

/** What the server hands to the browser together with the first screen, as JSON in the page. */
export interface PageData {
  /** Null: there is no such link or payment, or it is not this customer's. */
  readonly shown: LinkToShow | PaymentToShow | null;
  /** Business time when it was made. The customer's own clock is never asked. */
  readonly now: string;
  readonly language: Language;
  /** Money and trouble on request: only where the chain is a local one, and never in live. */
  readonly simulator: boolean;
  /** Of the payment's URI. */
  readonly qr: QrDrawing | null;
}

export const PAGE_DATA_ID = 'page-data';
