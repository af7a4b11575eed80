import { htmlDocument, pagePolicy, type Language } from '@tender/page';
import type { LoadedAssets } from './built-assets';
import { PAGE_DATA_ID, type PageData } from './page-data';
import { WORDS } from './words/words';

/** The page before its script draws it: words for a browser that runs none, and where the API is. */
export function renderPage(data: PageData, { script, style }: Pick<LoadedAssets, 'script' | 'style'>): string {
  const words = WORDS[data.language];
  const told = JSON.stringify(data).replaceAll('<', '\\u003c');
  return htmlDocument({
    ...{ language: data.language, title: words.title, style, script },
    body: [
      `<div id="page"><main data-state="shell"><noscript><section><h1>${words.title}</h1>`,
      `<p>${words.no_script}</p></section></noscript></main></div>`,
      `<script type="application/json" id="${PAGE_DATA_ID}">${told}</script>`,
    ].join(''),
  });
}

/** Something that is not there. */
export function renderNothing(language: Language, { style }: Pick<LoadedAssets, 'style'>): string {
  const { title, text } = WORDS[language].troubles['no link'];
  const body = `<main><section><h1>${title}</h1><p>${text}</p></section></main>`;
  return htmlDocument({ language, title, style, body });
}

/** Its own scripts, and the API alone to ask. */
export const policyOf = ({ style }: Pick<LoadedAssets, 'style'>, api: string): string =>
  pagePolicy({ style, images: ["'self'"], asks: [api], forms: "'none'" });
