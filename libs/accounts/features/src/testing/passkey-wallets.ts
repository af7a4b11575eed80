import { randomUUID } from 'node:crypto';
import type { RequestContext } from '@tender/contracts';
import { isoTime } from '@tender/kernel';
import { merchant } from '../merchant-details/merchant.aggregate';
import { MerchantBrowser } from './merchant-browser';
import { Shops } from './shops';
import { SignerADouble } from './signer-a-double';

const LINK_MS = 1_800_000;

/** Merchants who set up a passkey wallet, with a signer A that answers. */
export class PasskeyWallets {
  readonly shops = new Shops();
  readonly signer = new SignerADouble();
  private links = 0;

  async start(): Promise<void> {
    await this.shops.start();
    this.signer.listen(this.shops.stage.runtime);
  }

  close = (): Promise<void> | undefined => this.shops.close();

  /** As after a start: signer A is honest, and answers. */
  reset(): void {
    this.signer.is_silent = false;
    this.signer.answers = (answer) => answer;
  }

  /** Signed up without a wallet, with a signing passkey and a link that is good. */
  async newMerchant() {
    const { json } = await this.shops.signUp();
    const id = json.id as string;
    const passkey_id = await this.registerPasskey(id);
    const link = await this.newLink(id);
    return { id, key: json.api_key as string, passkey_id, link };
  }

  async registerPasskey(id: string, kind: 'signing' | 'login' = 'signing'): Promise<string> {
    const passkey_id = `passkey-${randomUUID()}`;
    const passkey = {
      ...{ passkey_id, kind, public_key: 'cose', counter: 0, transports: [], name_sealed: '' },
      registered_at: this.now(),
    };
    await this.handle(id, { type: 'RegisterPasskey', passkey, setup_token_hash: null });
    return passkey_id;
  }

  /** The hash of its token. */
  async newLink(id: string): Promise<string> {
    const token_hash = `link-${(this.links += 1)}`;
    const expires_at = isoTime(this.shops.stage.runtime.clock.now() + LINK_MS);
    await this.handle(id, {
      ...{ type: 'IssuePasskeySetup', asked_by: 'session' } as const,
      setup: { token_hash, expires_at },
    });
    return token_hash;
  }

  caller(merchant_id: string, link: string): RequestContext {
    const asker = { kind: 'setup', token_hash: link } as const;
    return this.shops.stage.caller({ merchant_id, asker, actor: 'setup' });
  }

  browser({ id, link }: { readonly id: string; readonly link: string }): MerchantBrowser {
    const { stage } = this.shops;
    const caller = () => this.caller(id, link);
    return new MerchantBrowser(id, (path, body) => stage.send('POST', path, caller(), body));
  }

  events(id: string) {
    return this.shops.stage.runtime.eventStore.load(`merchant.all-${id}`);
  }

  async types(id: string): Promise<readonly string[]> {
    return (await this.events(id)).map(({ type }) => type);
  }

  async addressOf(id: string): Promise<string | null | undefined> {
    return (await merchant.load(this.shops.stage.runtime, 'all', id))?.wallet_address;
  }

  private now(): string {
    return isoTime(this.shops.stage.runtime.clock.now());
  }

  private async handle(
    id: string,
    command: Parameters<typeof merchant.handle>[3],
  ): Promise<void> {
    const handled = await merchant.handle(this.shops.stage.runtime, 'all', id, command, {
      ...{ command_id: randomUUID(), body_hash: null, merchant_id: id, actor: 'test' },
      ...{ correlation_id: randomUUID(), causation_id: null },
    });
    if (!handled.ok) throw new Error(`refused: ${handled.refusal}`);
  }
}
