import { Keypair, VersionedTransaction } from '@solana/web3.js';
import type { Page } from 'playwright-core';

export type Mood = 'willing' | 'rejects' | 'silent';

/**
 * A wallet of the Wallet Standard in the pages of one customer, with a real key that stays outside of the browser.
 * It counts what it is asked to sign.
 */
export class TestWallet {
  readonly keypair = Keypair.generate();
  mood: Mood = 'willing';
  asked = 0;
  private answer: () => void = () => undefined;

  constructor(readonly name = 'Test Wallet') {}

  get address(): string {
    return this.keypair.publicKey.toBase58();
  }

  /** Lets a wallet that is silent answer after all. */
  speakUp(): void {
    this.answer();
  }

  async installIn(page: Page): Promise<void> {
    const id = `wallet${this.name.replace(/\W/g, '')}`;
    await page.exposeFunction(`${id}Signs`, (transaction: string) => this.sign(transaction));
    const { name, address } = this;
    const key = [...this.keypair.publicKey.toBytes()];
    await page.addInitScript(register, { id, name, address, key });
  }

  private async sign(transaction: string): Promise<string | null> {
    this.asked += 1;
    if (this.mood === 'rejects') return null;
    if (this.mood === 'silent') await new Promise<void>((resolve) => (this.answer = resolve));
    const read = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'));
    read.sign([this.keypair]);
    return Buffer.from(read.serialize()).toString('base64');
  }
}

interface Registered {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly key: readonly number[];
}

/** Runs in the page, before anything of it. */
function register({ id, name, address, key }: Registered): void {
  const chains = ['solana:mainnet', 'solana:devnet', 'solana:localnet'];
  const account = {
    ...{ address, chains, publicKey: Uint8Array.from(key) },
    features: ['solana:signTransaction'],
  };
  const signs = (text: string) =>
    (globalThis as unknown as Record<string, (text: string) => Promise<string | null>>)[`${id}Signs`]!(text);
  const wallet = {
    version: '1.0.0',
    name,
    icon: 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg"/%3E',
    chains,
    accounts: [account],
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
      'standard:events': { version: '1.0.0', on: () => () => undefined },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        async signTransaction({ transaction }: { transaction: Uint8Array }) {
          const signed = await signs(btoa(String.fromCharCode(...transaction)));
          if (signed === null) throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
          return [{ signedTransaction: Uint8Array.from(atob(signed), (one) => one.charCodeAt(0)) }];
        },
      },
    },
  };
  const tell = ({ register: take }: { register: (one: unknown) => void }) => take(wallet);
  window.addEventListener('wallet-standard:app-ready', (event) => tell((event as CustomEvent).detail));
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: tell }));
}
