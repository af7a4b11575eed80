import type { Language } from '@tender/page/browser';

/** What the server writes into the page. */
export interface PageData {
  readonly language: Language;
  /** Origin of the API; no slash at the end. */
  readonly api: string;
}

export const PAGE_DATA_ID = 'page-data';
