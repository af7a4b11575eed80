import { renderPage } from '../render-page';
import { PAGE_DATA_ID, type PageData } from '../page-data';

const ASSETS = { script: 'about:blank', style: '' };

interface Answered {
  readonly status: number;
  readonly json?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the code of the page asks of a browser; the pages of payments are `pages`. */
export class FakeBrowser {
  readonly kept = new Map<string, string>();
  readonly pages = new Map<string, PageData>();
  /** What was posted, with its Idempotency-Key. */
  readonly posted: (readonly [path: string, body: unknown, key: string | undefined])[] = [];
  /** Where the page has gone; a reload is an empty address. */
  readonly gone_to: string[] = [];
  /** Entries of the history beyond the first. */
  entries = 0;
  answer: (path: string) => Answered | Promise<Answered> = () => ({ status: 500 });
  private readonly listeners = new Map<string, () => void>();

  /** Takes the place of the browser's globals. */
  install(): void {
    const { kept, gone_to } = this;
    const globals = {
      localStorage: {
        getItem: (key: string) => kept.get(key) ?? null,
        setItem: (key: string, value: string) => void kept.set(key, value),
        removeItem: (key: string) => void kept.delete(key),
      },
      location: { assign: (address: string) => gone_to.push(address), reload: () => gone_to.push('') },
      history: { pushState: () => (this.entries += 1), back: () => this.fire('popstate') },
      document: { visibilityState: 'visible', addEventListener: () => undefined, removeEventListener: () => undefined },
      navigator: {},
      addEventListener: (name: string, heard: () => void) => this.listeners.set(name, heard),
      EventSource: class { addEventListener(): void {} close(): void {} },
      DOMParser: FakeParser,
      fetch: (path: string, init: RequestInit) => this.fetch(path, init),
    };
    for (const [name, value] of Object.entries(globals)) {
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
  }

  /** Something that the browser tells its page. */
  fire(name: 'popstate' | 'online' | 'offline'): void {
    if (name === 'popstate') this.entries -= 1;
    this.listeners.get(name)?.();
  }

  private async fetch(path: string, init: RequestInit): Promise<Response> {
    const { method, body, headers: asked } = init;
    const page = this.pages.get(path);
    if (method !== 'POST') {
      return new Response(page && renderPage(page, ASSETS), { status: page ? 200 : 503 });
    }
    const key = (asked as Record<string, string>)['idempotency-key'];
    this.posted.push([path, typeof body === 'string' ? JSON.parse(body) : undefined, key]);
    const { status, json = {}, headers = {} } = await this.answer(path);
    return new Response(JSON.stringify(json), { status, headers });
  }
}

/** Of a page it finds the data alone. */
class FakeParser {
  parseFromString = (html: string) => ({ getElementById: () => ({ textContent: dataIn(html) }) });
}

const dataIn = (html: string): string =>
  new RegExp(`id="${PAGE_DATA_ID}">(.*?)</script>`).exec(html)?.[1] ?? '';

/** Lets everything happen that waits for nothing but promises. */
export const settled = (): Promise<void> => new Promise((done) => void setImmediate(done));
