const PATIENCE_MS = 20_000;

/** A page of this checkout that was asked for and is not shown yet. */
export interface OtherPage {
  readonly ok: boolean;
  readonly status: number;
  /** Where it has led to. */
  readonly url: string;
  readonly html: Document;
}

/** Throws where there is no answer. */
export async function pageAt(address: string, init: RequestInit = {}): Promise<OtherPage> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const answer = await fetch(address, { ...init, signal, headers: { accept: 'text/html' } });
  const html = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const { ok, status, url } = answer;
  return { ok, status, url, html };
}

/** In place of the one that is shown, under its address; the focus goes to what it says first. */
export function show({ html, url }: OtherPage): void {
  const shown = html.querySelector('main');
  if (!shown) return location.assign(url);
  document.querySelector('main')?.replaceWith(shown);
  document.title = html.title;
  document.documentElement.lang = html.documentElement.lang;
  history.replaceState(null, '', url);
  const wrong = document.querySelector<HTMLElement>('[aria-invalid]');
  (wrong ?? document.querySelector<HTMLElement>('h1'))?.focus();
}

export const isShown = (state: string): boolean =>
  document.querySelector('main')?.dataset.state === state;

/** Which plan the page is of. */
export const planShown = (): string => document.querySelector('main')?.dataset.plan ?? '';
