import jsQr from 'jsqr';
import { PNG } from 'pngjs';
import type { BrowserContext, BrowserContextOptions } from 'playwright-core';
import { eventually } from '../../harness/eventually';
import { TestWallet } from './test-wallet';
import { StatefulPage, Visitors } from './visitors';

/** Customers with browsers of their own, at the pages of one program. */
export class Customers extends Visitors {
  /** What pages have asked of other origins: nothing. */
  readonly foreign: string[] = [];

  constructor(private readonly origin: () => string) {
    super();
  }

  /** A customer who has none of the pages open yet. */
  async arrives(options: BrowserContextOptions = {}): Promise<Customer> {
    const viewport = { width: 1000, height: 900 };
    return new Customer(await this.profile({ viewport, ...options }));
  }

  protected asked({ origin, href }: URL): void {
    if (origin !== this.origin()) this.foreign.push(href);
  }
}

/** One customer: a browser profile, a wallet, one or more tabs. */
export class Customer {
  readonly wallet = new TestWallet();

  constructor(readonly context: BrowserContext) {}

  async opens(address: string, { has_wallet = true } = {}): Promise<Tab> {
    const page = await this.context.newPage();
    if (has_wallet) await this.wallet.installIn(page);
    // As a person loads a page again that a busy machine has not served.
    const loaded = async () => (await page.goto(address))?.status();
    await eventually(loaded, (status) => status !== 503);
    return new Tab(page);
  }
}

/** The checkout in one tab. */
export class Tab extends StatefulPage {
  async follow(name: string): Promise<this> {
    await this.page.getByRole('link', { name, exact: true }).click();
    return this;
  }

  /** What the code on the screen says, once there is one: a busy machine may paint it late. */
  scan(): Promise<string | undefined> {
    return eventually(
      () => this.codeInView(),
      (code) => code !== undefined,
    );
  }

  private async codeInView(): Promise<string | undefined> {
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
