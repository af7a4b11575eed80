import type { Language } from '@tender/page/browser';

/** What the server writes into the page. */
export interface ApprovePageData {
  readonly language: Language;
  /** Origins of the API’s own pages: they alone are handed what a passkey has signed. */
  readonly openers: readonly string[];
}
