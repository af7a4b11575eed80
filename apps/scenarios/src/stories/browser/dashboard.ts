import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { openChromium } from '@tender/page/testing';
import { eventually } from '../../harness/eventually';
import { isExcused } from '../../harness/excused';

interface Answer {
  readonly status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a black box: the answers are what is under test
  readonly json: any;
}

/** A page of the program on which a person signs in, in a browser whose authenticator is a virtual one. */
export class Dashboard {
  private constructor(
    private readonly browser: Browser,
    readonly context: BrowserContext,
    private readonly page: Page,
    private readonly devtools: CDPSession,
    private authenticator: string,
  ) {}

  /** `url`: of the program. Browsers make no passkey for an IP address, so the page is on `localhost`. */
  static async open(url: string): Promise<Dashboard> {
    const browser = await openChromium();
    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const origin = `http://localhost:${new URL(url).port}`;
    const address = `${origin}/dashboard`;
    const body = '<!doctype html><title>Dashboard</title>';
    await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body }));
    await page.goto(address);
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const dashboard = new Dashboard(browser, context, page, devtools, '');
    await dashboard.takeAuthenticator();
    return dashboard;
  }

  /** The person takes another device; what the one before holds is out of reach. */
  async takeAuthenticator(): Promise<void> {
    const authenticatorId = this.authenticator;
    if (authenticatorId) {
      await this.devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    }
    const added = await this.devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal' },
        ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
        automaticPresenceSimulation: true,
      },
    });
    this.authenticator = added.authenticatorId;
  }

  /** Whether the authenticator knows the person again from now on. */
  async recognises(isUserVerified: boolean): Promise<void> {
    const { authenticator: authenticatorId } = this;
    await this.devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  }

  /**
   * What the page asks of the API, with what the browser sends by itself. Where a busy machine tells the page to come
   * again, it repeats a request that only reads or begins something.
   */
  ask(method: string, path: string, body?: object): Promise<Answer> {
    const mayRepeat = method === 'GET' || path.endsWith('/start');
    const ask = () => this.askOnce(method, path, body);
    return eventually(ask, (answer) => !mayRepeat || !isExcused(answer));
  }

  private askOnce(method: string, path: string, body?: object): Promise<Answer> {
    return this.page.evaluate(
      async ([verb, address, sent]) => {
        const headers = { 'content-type': 'application/json' };
        const json = sent === undefined ? {} : { headers, body: JSON.stringify(sent) };
        const answer = await fetch(address, { method: verb, ...json });
        return { status: answer.status, json: (await answer.json()) as unknown };
      },
      [method, path, body] as const,
    );
  }

  /** `navigator.credentials.create`. Throws what the browser refuses, by its name. */
  create(options: object): Promise<object> {
    return this.page.evaluate(async (asked) => {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asked as never);
      const made = await navigator.credentials.create({ publicKey });
      return (made as PublicKeyCredential).toJSON() as object;
    }, options);
  }

  /** `navigator.credentials.get`. Throws what the browser refuses, by its name. */
  get(options: object): Promise<object> {
    return this.page.evaluate(async (asked) => {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked as never);
      const answer = await navigator.credentials.get({ publicKey });
      return (answer as PublicKeyCredential).toJSON() as object;
    }, options);
  }

  async close(): Promise<void> {
    await this.browser.close();
  }
}
