import { openChromium } from '@tender/page/testing';
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core';
import { PATIENCE_MS } from '../../harness/eventually';

/** People in one browser, each with a profile of their own. */
export abstract class Visitors {
  /** What went wrong in pages. */
  readonly faults: string[] = [];
  private browser: Browser | null = null;

  async open(): Promise<void> {
    this.browser = await openChromium();
  }

  async close(): Promise<void> {
    await this.browser?.close();
  }

  /** A profile in which nothing is open yet. */
  protected async profile(options: BrowserContextOptions): Promise<BrowserContext> {
    if (!this.browser) throw new Error('the browser has not been opened');
    // Nobody watches what moves, and it is drawn for as long as a story waits.
    const still = { locale: 'en-GB', reducedMotion: 'reduce' } as const;
    const context = await this.browser.newContext({ ...still, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    context.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol.startsWith('http')) this.asked(url, request);
    });
    context.on('weberror', (error) => this.faults.push(String(error.error())));
    return context;
  }

  /** A page has asked for something over the network. */
  protected abstract asked(url: URL, request: Request): void;
}

/** A page that says in which state it is. */
export class StatefulPage {
  constructor(readonly page: Page) {}

  /** Waits until it is in that state. */
  async at(state: string): Promise<this> {
    await this.page.locator(`main[data-state="${state}"]`).waitFor();
    return this;
  }

  async press(name: string): Promise<this> {
    await this.page.getByRole('button', { name, exact: true }).click();
    return this;
  }
}
