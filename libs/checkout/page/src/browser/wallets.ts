import type { SolanaSignTransactionFeature } from '@solana/wallet-standard-features';
import { getWallets } from '@wallet-standard/app';
import type { IdentifierString, Wallet, WalletAccount } from '@wallet-standard/base';

interface Connects {
  readonly 'standard:connect': { connect(): Promise<{ accounts: readonly WalletAccount[] }> };
}
type Features = Connects & SolanaSignTransactionFeature;

const CHAINS: Readonly<Record<string, IdentifierString>> = {
  'mainnet-beta': 'solana:mainnet',
  devnet: 'solana:devnet',
  localnet: 'solana:localnet',
};

const NEEDED = ['standard:connect', 'solana:signTransaction'];

const featuresOf = ({ features }: Wallet): Features => features as unknown as Features;

const canPay = ({ features, chains }: Wallet): boolean =>
  NEEDED.every((name) => name in features) && chains.some((chain) => chain.startsWith('solana:'));

/** The wallets of this browser that can sign for Solana; `changed` hears when one comes or goes. */
export function watchWallets(changed: (wallets: readonly Wallet[]) => void): void {
  const { get, on } = getWallets();
  const tell = () => changed(get().filter(canPay));
  on('register', tell);
  on('unregister', tell);
  tell();
}

/** The customer agrees that this page sees an account; null when the wallet shows none. */
export async function connect(wallet: Wallet): Promise<WalletAccount | null> {
  const { accounts } = await featuresOf(wallet)['standard:connect'].connect();
  const usable = accounts.length > 0 ? accounts : wallet.accounts;
  return usable.find(({ features }) => features.includes('solana:signTransaction')) ?? null;
}

/** Signs and does not send: what becomes of the transaction is ours to know. Base64 in and out. */
export async function sign(
  wallet: Wallet,
  account: WalletAccount,
  transaction: string,
  network: string,
): Promise<string> {
  const chain = CHAINS[network];
  const known = chain && account.chains.includes(chain) ? { chain } : {};
  const feature = featuresOf(wallet)['solana:signTransaction'];
  const [signed] = await feature.signTransaction({
    ...{ account, transaction: bytesOf(transaction), ...known },
  });
  if (!signed) throw new Error('the wallet signed nothing');
  return textOf(signed.signedTransaction);
}

const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
const textOf = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** Wallets have no common word for it; 4001 is what most of them took over. */
export const isRejection = (error: unknown): boolean =>
  (error as { code?: unknown }).code === 4001 || /reject|declin|denied|cancel/i.test(String(error));
