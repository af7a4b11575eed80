import { htmlDocument, pagePolicy, qrCode, type Language } from '@tender/page';
import { renderToString } from 'preact-render-to-string';
import { NO_ACTIONS } from './actions';
import { Page } from './page';
import { PAGE_DATA_ID, type PageData, type QrDrawing } from './page-data';
import { plainOf } from './screens/plain';
import { Trouble, troubleTitle, type TroubleProps } from './screens/trouble';
import { asksForDetails, firstView, paymentOf, stateOf, type View } from './view';
import { titleOf, WORDS } from './words/words';

/** What a build has made for browsers. */
export interface BuiltAssets {
  /** Address of the script. */
  readonly script: string;
  /** Of the one for pages of plans. */
  readonly plan_script: string;
  readonly style: string;
}

/** How often a browser without JavaScript looks again. */
const REFRESH_SECONDS = 10;

/** What the server knows of a page beside its data. */
export interface PageChanges extends Partial<View> {
  /** Names the payment that one press of a link's button begins, for browsers without scripts. */
  readonly attempt?: string | null;
}

/** The page as HTML: the first screen, its style, its data, and the script that goes on from there. */
export const renderPage = (
  data: PageData,
  assets: Pick<BuiltAssets, 'script' | 'style'>,
  { attempt = null, ...changes }: PageChanges = {},
): string => renderView({ ...firstView(data), ...changes }, assets, attempt);

/** The page of a view, whatever screen it is at. */
export function renderView(
  view: View,
  { script, style }: Pick<BuiltAssets, 'script' | 'style'>,
  attempt: string | null = null,
): string {
  const data = view.page;
  const words = WORDS[view.language];
  const props = { view, words, actions: NO_ACTIONS };
  const shown = renderToString(<Page {...props} plain={plainOf({ ...props, attempt })} />);
  return htmlDocument({
    ...{ language: view.language, title: titleOf(view, words), style, script },
    looks_again: looksAgain(view) ? REFRESH_SECONDS : null,
    body: [
      `<div id="page">${shown}</div>`,
      `<script type="application/json" id="${PAGE_DATA_ID}">${inlined(data)}</script>`,
    ].join(''),
  });
}

/** An error in place of a page: no script, and nothing to load. */
export function renderTrouble(
  { language, ...trouble }: TroubleProps & { readonly language: Language },
  { style }: Pick<BuiltAssets, 'style'>,
): string {
  const words = WORDS[language];
  const body = renderToString(<Trouble {...trouble} words={words} />);
  return htmlDocument({ language, title: troubleTitle(trouble, words), style, body });
}

/** Without a script the page is loaded anew while the payment is open, but not under the hands of who types. */
function looksAgain(view: View): boolean {
  const state = stateOf(view);
  const has_form = asksForDetails(view) && state === 'shell';
  const is_answer = state === 'busy' || state === 'error' || state === 'blocked';
  return paymentOf(view)?.status === 'pending' && !has_form && !is_answer;
}

/** Nothing from elsewhere, but for the icons that wallets bring as data. */
export const policyOf = ({ style }: Pick<BuiltAssets, 'style'>): string =>
  pagePolicy({ style, images: ["'self'", 'data:'], asks: ["'self'"], forms: "'self'" });

/**
 * The dark modules of a text's QR code, row by row. Each run of a row is told by its distance from the one before:
 * such a path is half as long compressed as one of places.
 */
export function drawQr(text: string): QrDrawing {
  const { size, rows } = qrCode(text);
  let path = '';
  rows.forEach((runs, y) => {
    let before: number | null = null;
    for (const { from, width } of runs) {
      path += `${before === null ? `M${from} ${y}` : `m${from - before} 0`}h${width}v1h-${width}z`;
      before = from;
    }
  });
  return { size, path };
}

/** Ends no script, whatever a shop has called itself. */
const inlined = (data: PageData): string => JSON.stringify(data).replaceAll('<', '\\u003c');
