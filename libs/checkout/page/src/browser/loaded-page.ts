import { PAGE_DATA_ID, type PageData } from '../page-data';
import type { Api } from './api';

/** The data that the server has put into this page. */
export const ownPageData = (): PageData => dataIn(document);

/** What the page of a payment says now: pages are their own source of data. */
export async function loadPageData(api: Api, payment_id: string): Promise<PageData> {
  const html = await api.page(`/p/${payment_id}`);
  return dataIn(new DOMParser().parseFromString(html, 'text/html'));
}

const dataIn = (page: Document): PageData =>
  JSON.parse(page.getElementById(PAGE_DATA_ID)?.textContent ?? '') as PageData;
