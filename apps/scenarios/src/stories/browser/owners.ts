import { readFileSync } from 'node:fs';
import { openChromium } from '@tender/page/testing';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  CDPSession,
  Page,
} from 'playwright-core';

/** Ends what hangs. */
const PATIENCE_MS = 60_000;

export interface Device {
  /** Whether its passkeys have the PRF extension. */
  readonly has_prf?: boolean;
}

/** What a page has sent to the API. */
export interface Sent {
  readonly path: string;
  readonly text: string;
}

/** Merchants at the pages of the approval origin, each with a device and a browser of its own. */
export class Owners {
  private browser: Browser | null = null;
  readonly faults: string[] = [];
  /** Of all pages: to whom they have spoken, and what they have sent. */
  readonly origins = new Set<string>();
  readonly sent: Sent[] = [];

  async open(): Promise<void> {
    this.browser = await openChromium();
  }

  async close(): Promise<void> {
    await this.browser?.close();
  }

  /** A person with a device that holds no passkey yet. */
  async arrives(
    { has_prf = true }: Device = {},
    options: BrowserContextOptions = {},
  ): Promise<Owner> {
    const context = await (this.browser as Browser).newContext({ locale: 'en-GB', ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    context.on('request', (request) => {
      const { origin, pathname, protocol } = new URL(request.url());
      if (!protocol.startsWith('http')) return;
      this.origins.add(origin);
      const text = `${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`;
      this.sent.push({ path: pathname, text });
    });
    context.on('weberror', (error) => this.faults.push(String(error.error())));
    const page = await context.newPage();
    // What the passkeys answer, for the test to look for it elsewhere.
    await page.addInitScript(() => {
      // A blank page, which is no secure one, has none.
      if (!('credentials' in navigator)) return;
      const answered: string[] = [];
      Object.assign(globalThis, { answered });
      for (const name of ['create', 'get'] as const) {
        const asked = navigator.credentials[name].bind(navigator.credentials) as (
          options: object,
        ) => Promise<unknown>;
        Object.assign(navigator.credentials, {
          [name]: async (of: object) => {
            const credential = (await asked(of)) as PublicKeyCredential;
            const { prf } = credential.getClientExtensionResults() as {
              prf?: { results?: { first?: ArrayBuffer } };
            };
            const first = prf?.results?.first;
            if (first) answered.push(String.fromCharCode(...new Uint8Array(first)));
            return credential;
          },
        });
      }
    });
    return Owner.at(page, has_prf);
  }
}

export interface SavedKit {
  readonly name: string;
  readonly text: string;
}

/** One person at one device. */
export class Owner {
  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    private readonly devtools: CDPSession,
    private readonly authenticatorId: string,
  ) {}

  /** At a window whose device has no passkey yet. */
  static async at(page: Page, hasPrf: boolean): Promise<Owner> {
    const context = page.context();
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal', hasPrf },
        ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
        automaticPresenceSimulation: true,
      },
    });
    return new Owner(context, page, devtools, authenticatorId);
  }

  /** At another window of the same device: the browser gives each window an authenticator of its own. */
  async alsoAt(page: Page): Promise<Owner> {
    const there = await Owner.at(page, false);
    const { authenticatorId } = there;
    for (const credential of await this.credentials()) {
      await there.devtools.send('WebAuthn.addCredential', { authenticatorId, credential });
    }
    return there;
  }

  async opens(link: string): Promise<this> {
    // The same page with another fragment would not be loaded anew.
    await this.page.goto('about:blank');
    await this.page.goto(link);
    return this;
  }

  async at(state: string): Promise<this> {
    await this.page.locator(`main[data-state="${state}"]`).waitFor();
    return this;
  }

  async press(name: string): Promise<this> {
    await this.page.getByRole('button', { name, exact: true }).click();
    return this;
  }

  async says(text: string): Promise<this> {
    await this.page.getByText(text).first().waitFor();
    return this;
  }

  /** Fills in the passphrase, and presses. */
  async secures(passphrase: string, button = 'Make a passkey'): Promise<this> {
    await this.page.getByLabel(/^Passphrase/).fill(passphrase);
    await this.page.getByLabel('The same passphrase again').fill(passphrase);
    return this.press(button);
  }

  /** Saves the recovery kit; answers its name and its text. */
  async savesKit(): Promise<SavedKit> {
    await this.at('save');
    const [download] = await Promise.all([
      this.page.waitForEvent('download'),
      this.page.getByRole('link', { name: 'Save the file' }).click(),
    ]);
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
  }

  /** Shows the page the file that was saved. */
  async showsKit({ name, text }: SavedKit, label = 'The file that you have saved'): Promise<this> {
    const file = { name, mimeType: 'application/json', buffer: Buffer.from(text) };
    await this.page.getByLabel(label).setInputFiles(file);
    return this;
  }

  /** From the link to the wallet. */
  async makesWallet(link: string, passphrase: string) {
    await this.opens(link);
    await (await this.at('welcome')).press('Begin');
    await (await this.at('passphrase')).secures(passphrase);
    const kit = await this.savesKit();
    await this.showsKit(kit);
    await this.press('Check the file and finish');
    await this.at('done');
    const address = await this.page.locator('.wallet').textContent();
    return { kit, address: address ?? '' };
  }

  /** Whether the device recognises its person from now on. */
  recognises(isUserVerified: boolean): Promise<unknown> {
    const { authenticatorId } = this;
    return this.devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  }

  async passkeys(): Promise<number> {
    return (await this.credentials()).length;
  }

  /** As WebAuthn names them. */
  async passkeyIds(): Promise<readonly string[]> {
    const kept = await this.credentials();
    return kept.map(({ credentialId }) => Buffer.from(credentialId, 'base64').toString('base64url'));
  }

  private async credentials() {
    const { authenticatorId } = this;
    const { credentials } = await this.devtools.send('WebAuthn.getCredentials', { authenticatorId });
    return credentials;
  }

  /** What its passkeys have answered to the page, as bytes. */
  async answered(): Promise<readonly Buffer[]> {
    const texts = await this.page.evaluate(
      () => (globalThis as unknown as { answered: string[] }).answered,
    );
    return texts.map((text) => Buffer.from(text, 'latin1'));
  }
}
