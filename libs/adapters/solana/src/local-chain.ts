import {
  InsufficientFunds,
  MalformedSecret,
  TransferRefused,
  type LocalChain,
  type LocalNetwork,
} from '@tender/eventing';
import { MODES, TOKEN_DECIMALS, type Mode, type Token } from '@tender/kernel';
import { KEY_BYTES, secretOfKeyFile, signerOf } from '@tender/transactions';
import {
  confirmed,
  freshWallet,
  payOnChain,
  TransferFailed,
  walletOf,
  type CustomerWallet,
} from './customer-wallet';
import { onlyEndpoint, RpcError } from './rpc-endpoint';

/** Enough for the fee and for the recipient's token account. Lamports. */
const FEES_LAMPORTS = 10_000_000n;
/** The node played the transaction, and the chain refused it. */
const SIMULATION_FAILED = -32002;

function payerOf(secret: string): CustomerWallet {
  const bytes = secretOfKeyFile(secret);
  // What was sent is not quoted: it may be nearly a secret.
  if (bytes === null) throw new MalformedSecret('it is no secret key');
  return walletOf(bytes.subarray(0, KEY_BYTES));
}

/** The local networks' switches (`localnet_*`) and customers, over the same JSON-RPC that wallets use. */
export function localChain(
  networks: Readonly<Record<Mode, LocalNetwork>>,
): LocalChain & { close(): Promise<void> } {
  const nodes = {
    test: onlyEndpoint(networks.test.rpc_url),
    live: onlyEndpoint(networks.live.rpc_url),
  };
  const onBoth = (method: string, params: object) =>
    Promise.all(MODES.map((mode) => nodes[mode].call(method, [params])));

  return {
    networks,
    async faucet(mode, address, token, amount) {
      const signature = await give(mode, address, token, amount);
      return confirmed(nodes[mode], signature, 'confirmed');
    },
    async pay(mode, { recipient, token, amount, reference, from }) {
      const wallet = from === null ? freshWallet() : payerOf(from);
      if (from === null) await fund(mode, wallet.address, token, amount);
      const payment = {
        rpc_url: networks[mode].rpc_url,
        commitment: 'confirmed' as const,
        from: wallet.secret,
        to: recipient,
        mint: token === 'SOL' ? null : networks[mode].mints[token],
        decimals: TOKEN_DECIMALS[token],
        amount,
        references: [reference],
      };
      const { signature } = await payOnChain(payment).catch((error: unknown) => {
        throw error instanceof TransferFailed
          ? new InsufficientFunds(error.message, { cause: error })
          : error;
      });
      return { signature, wallet: wallet.address };
    },
    async setOffset(offset_ms) {
      await onBoth('localnet_setTimeOffset', { offset_ms });
    },
    async produceUntil(unix_seconds) {
      await onBoth('localnet_advance', { to_unix_seconds: unix_seconds });
    },
    async close() {
      await Promise.all(MODES.map((mode) => nodes[mode].close()));
    },
  };

  async function give(
    mode: Mode,
    address: string,
    token: Token,
    amount: bigint,
  ): Promise<string> {
    const gift = { address, token, amount: amount.toString() };
    try {
      return (await nodes[mode].call<{ signature: string }>('localnet_faucet', [gift])).signature;
    } catch (error) {
      if (!(error instanceof RpcError) || error.code !== SIMULATION_FAILED) throw error;
      throw new TransferRefused(error.message, { cause: error });
    }
  }

  async function fund(mode: Mode, address: string, token: Token, amount: bigint): Promise<void> {
    const lamports = token === 'SOL' ? amount + FEES_LAMPORTS : FEES_LAMPORTS;
    await give(mode, address, 'SOL', lamports);
    if (token !== 'SOL') await give(mode, address, token, amount);
  }
}

/** Of who signs with the key file of that text; null where it holds no key. */
export function addressOfKeyFile(text: string): string | null {
  const secret = secretOfKeyFile(text);
  return secret && signerOf(secret).address;
}

/** Gives an address of a local network so many lamports, where it holds less than a tenth of that. */
export async function topUp(rpc_url: string, address: string, lamports: bigint): Promise<void> {
  const node = onlyEndpoint(rpc_url);
  try {
    const { value } = await node.call<{ value: number }>('getBalance', [address]);
    if (BigInt(value) >= lamports / 10n) return;
    const gift = { address, token: 'SOL', amount: lamports.toString() };
    await node.call('localnet_faucet', [gift]);
  } finally {
    await node.close();
  }
}
