import jsQr from 'jsqr';
import { PNG } from 'pngjs';
import { openChromium } from '@tender/page/testing';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { TestWallet } from './test-wallet';

/** Ends what hangs. */
const PATIENCE_MS = 60_000;

/** Customers with browsers of their own, at the pages of one program. */
export class Customers {
  /** What pages have asked of other origins: nothing. */
  readonly foreign: string[] = [];
  /** What went wrong in pages. */
  readonly faults: string[] = [];
  private browser: Browser | null = null;

  constructor(private readonly origin: () => string) {}

  async open(): Promise<void> {
    this.browser = await openChromium();
  }

  async close(): Promise<void> {
    await this.browser?.close();
  }

  /** A customer who has none of the pages open yet. */
  async arrives(options: BrowserContextOptions = {}): Promise<Customer> {
    const context = await (this.browser as Browser).newContext({
      viewport: { width: 1000, height: 900 }, locale: 'en-GB', ...options,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    context.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol.startsWith('http') && origin !== this.origin()) this.foreign.push(request.url());
    });
    context.on('weberror', (error) => this.faults.push(String(error.error())));
    return new Customer(context);
  }
}

/** One customer: a browser profile, a wallet, one or more tabs. */
export class Customer {
  readonly wallet = new TestWallet();

  constructor(readonly context: BrowserContext) {}

  async opens(address: string, { has_wallet = true } = {}): Promise<Tab> {
    const page = await this.context.newPage();
    if (has_wallet) await this.wallet.installIn(page);
    await page.goto(address);
    return new Tab(page);
  }
}

/** The checkout in one tab. */
export class Tab {
  constructor(readonly page: Page) {}

  /** Waits until the page is at that screen. */
  async at(state: string): Promise<this> {
    await this.page.locator(`main[data-state="${state}"]`).waitFor();
    return this;
  }

  async press(name: string): Promise<this> {
    await this.page.getByRole('button', { name, exact: true }).click();
    return this;
  }

  async follow(name: string): Promise<this> {
    await this.page.getByRole('link', { name, exact: true }).click();
    return this;
  }

  /** What the code on the screen says. */
  async scan(): Promise<string | undefined> {
    const { data, width, height } = PNG.sync.read(await this.page.screenshot());
    return jsQr(new Uint8ClampedArray(data), width, height)?.data;
  }

  /** From the first screen to the choice of a way to pay. */
  async goesToChoice(): Promise<this> {
    await this.at('email');
    await this.press('Continue without e-mail');
    return this.at('choose');
  }

  /** How often the page has asked the API for a path that ends so, from now on. */
  countRequests(ending: string): () => number {
    let count = 0;
    this.page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith(ending)) count += 1;
    });
    return () => count;
  }
}
