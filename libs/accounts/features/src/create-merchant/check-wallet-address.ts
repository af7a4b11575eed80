import { Unavailable, type AccountKind, type Chain, type Runtime } from '@tender/eventing';
import { invalidParameter } from '@tender/http';
import { MODES } from '@tender/kernel';
import { knownAccount } from '@tender/transactions';

const SENTENCES: Readonly<Record<Exclude<AccountKind, 'wallet'>, string>> = {
  program: 'is a program and no wallet; send the address of a wallet',
  mint: 'is the mint of a token; send the address of a wallet',
  token_account: 'is a token account; send the wallet that owns it',
};

/**
 * 400 for an address that is known to be no wallet: money that is sent there is lost, or comes where its owner does
 * not look for it. A wallet serves both modes, so both chains are asked; one that does not answer does not stop
 * a sign-up.
 */
export async function checkWalletAddress(
  { chains }: Pick<Runtime, 'chains'>,
  address: string,
): Promise<void> {
  const own = MODES.map((mode) => chains[mode]);
  const is_own_mint = own.some((chain) => mintsOf(chain).includes(address));
  refuse(is_own_mint ? 'mint' : knownAccount(address));
  for (const kind of await Promise.all(own.map((chain) => askedKind(chain, address)))) refuse(kind);
}

function refuse(kind: AccountKind | null): void {
  if (kind === null || kind === 'wallet') return;
  throw invalidParameter({ field: 'wallet_address', message: SENTENCES[kind] });
}

/** None while the chain must not be used: its mints are not known then. */
function mintsOf(chain: Chain): readonly string[] {
  try {
    return Object.values(chain.mints);
  } catch (error) {
    if (error instanceof Unavailable) return [];
    throw error;
  }
}

async function askedKind(chain: Chain, address: string): Promise<AccountKind | null> {
  try {
    return await chain.accountKind(address);
  } catch (error) {
    if (error instanceof Unavailable) return null;
    throw error;
  }
}
