import type { Language } from './language';

export interface HtmlDocument {
  readonly language: Language;
  readonly title: string;
  readonly style: string;
  /** Address of its script. */
  readonly script?: string;
  /** Seconds after which a browser without scripts looks again. */
  readonly looks_again?: number | null;
  readonly body: string;
}

/** A page around what it shows: its style within, its script beside, and nothing from elsewhere. */
export const htmlDocument = (page: HtmlDocument): string =>
  [
    `<!doctype html><html lang="${page.language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark">',
    '<link rel="icon" href="/icon.svg" type="image/svg+xml">',
    `<title>${escaped(page.title)}</title>`,
    page.looks_again
      ? `<noscript><meta http-equiv="refresh" content="${page.looks_again}"></noscript>`
      : '',
    `<style>${page.style}</style>`,
    page.script ? `<script type="module" src="${page.script}"></script>` : '',
    `</head><body>${page.body}</body></html>`,
  ].join('');

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
