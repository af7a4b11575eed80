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
  /** For as long as the tab is open. */
  readonly kept_by_tab = new Map<string, string>();
  readonly pages = new Map<string, PageData>();
  /** What was posted, with its Idempotency-Key. */
  readonly posted: (readonly [path: string, body: unknown, key: string | undefined])[] = [];
  /** Where the page has gone; a reload is an empty address. */
  readonly gone_to: string[] = [];
  /** Entries of the history beyond the first. */
  entries = 0;
  answer: (path: string) => Answered | Promise<Answered> = () => ({ status: 500 });
  readonly location = {
    ...{ href: 'https://pay.example/l/t', search: '' },
    assign: (address: string) => this.gone_to.push(address),
    reload: () => this.gone_to.push(''),
  };
  readonly document = {
    ...{ title: '', documentElement: { lang: 'en' }, visibilityState: 'visible' },
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  };
  /** The status and text of the next page that is asked for, in place of one. */
  broken_page: readonly [status: number, text: string] | null = null;
  private readonly listeners = new Map<string, () => void>();
  private readonly real = new Map<string, PropertyDescriptor | undefined>();

  /** Takes the place of the browser's globals. */
  install(): void {
    const { location } = this;
    const globals = {
      localStorage: storageOf(this.kept),
      sessionStorage: storageOf(this.kept_by_tab),
      location,
      history: this.history(),
      document: this.document,
      navigator: {},
      addEventListener: (name: string, heard: () => void) => this.listeners.set(name, heard),
      EventSource: class { addEventListener(): void {} close(): void {} },
      DOMParser: FakeParser,
      fetch: (path: string, init: RequestInit) => this.fetch(path, init),
    };
    for (const [name, value] of Object.entries(globals)) {
      this.real.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
  }

  /** Puts back what was there before. */
  uninstall(): void {
    for (const [name, descriptor] of this.real) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
    }
    this.real.clear();
  }

  private history(): object {
    const stateOf = () => (this.entries > 0 ? {} : null);
    return {
      get state() {
        return stateOf();
      },
      pushState: () => (this.entries += 1),
      replaceState: (_: unknown, __: string, address: URL) => (this.location.href = address.href),
      back: () => (this.entries > 0 ? this.fire('popstate') : this.gone_to.push('back')),
    };
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
      const [status, text] = this.broken_page ?? [];
      if (status !== undefined) return new Response(text, { status });
      return new Response(page && renderPage(page, ASSETS), { status: page ? 200 : 503 });
    }
    const key = (asked as Record<string, string>)['idempotency-key'];
    this.posted.push([path, typeof body === 'string' ? JSON.parse(body) : undefined, key]);
    const { status, json = {}, headers = {} } = await this.answer(path);
    return new Response(JSON.stringify(json), { status, headers });
  }
}

const storageOf = (kept: Map<string, string>) => ({
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
});

/** Of a page it finds the data alone. */
class FakeParser {
  parseFromString = (html: string) => ({ getElementById: () => ({ textContent: dataIn(html) }) });
}

const dataIn = (html: string): string =>
  new RegExp(`id="${PAGE_DATA_ID}">(.*?)</script>`).exec(html)?.[1] ?? '';

/** Lets everything happen that waits for nothing but promises. */
export const settled = (): Promise<void> => new Promise((done) => void setImmediate(done));
