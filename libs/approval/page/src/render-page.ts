import { htmlDocument, pagePolicy, type Language } from '@tender/page';
import type { ApprovePageData } from './approve/page-data';
import { APPROVE_WORDS } from './approve/words/words';
import type { LoadedAssets } from './built-assets';
import { PAGE_DATA_ID, type PageData } from './page-data';
import { WORDS } from './words/words';

type Parts = Pick<LoadedAssets, 'script' | 'style'>;

/** The set-up page before its script draws it: words for a browser that runs none, and where the API is. */
export const renderPage = (data: PageData, parts: Parts): string =>
  renderShell(data, WORDS[data.language], parts);

/** The page on which a request is approved, likewise. */
export const renderApprovePage = (
  data: ApprovePageData,
  { approve_script: script, style }: Pick<LoadedAssets, 'approve_script' | 'style'>,
): string => renderShell(data, APPROVE_WORDS[data.language], { script, style });

interface ShellWords {
  readonly title: string;
  readonly no_script: string;
}

function renderShell(
  data: { readonly language: Language },
  { title, no_script }: ShellWords,
  { script, style }: Parts,
): string {
  const told = JSON.stringify(data).replaceAll('<', '\\u003c');
  return htmlDocument({
    ...{ language: data.language, title, style, script },
    body: [
      `<div id="page"><main data-state="shell"><noscript><section><h1>${title}</h1>`,
      `<p>${no_script}</p></section></noscript></main></div>`,
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

/** Its own scripts, and these origins alone to ask. */
export const policyOf = (
  { style }: Pick<LoadedAssets, 'style'>,
  asks: readonly string[],
): string =>
  pagePolicy({ style, images: ["'self'"], asks: asks.length > 0 ? asks : ["'none'"], forms: "'none'" });
