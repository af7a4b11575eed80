import { freshWallet, payOnChain } from '@tender/adapter-solana';
import { callRpc } from '@tender/localnet';
import type { RunningProgram } from './running-program';

/** A person with a wallet on the local chain of test mode. */
export interface Customer {
  readonly address: string;
  /** Base58. */
  readonly secret: string;
}

interface TestNetwork {
  readonly rpc_url: string;
  readonly mints: Readonly<Record<'USDC' | 'USDT', string>>;
}

export async function testNetwork(program: RunningProgram): Promise<TestNetwork> {
  const { json } = await program.admin().get('/api/v1/test_helpers/environment');
  return json.networks.test as TestNetwork;
}

/** With SOL for fees and so many USDC. */
export async function newCustomer(program: RunningProgram, usdc: number): Promise<Customer> {
  const { address, secret } = freshWallet();
  for (const [token, amount] of [['SOL', 1], ['USDC', usdc]] as const) {
    const given = await program.admin().post('/api/v1/test_helpers/faucet', { address, token, amount });
    if (given.status !== 200) throw new Error(`the faucet answered ${given.status}: ${given.text}`);
  }
  return { address, secret };
}

/** Sends USDC (base units) to a wallet, and does not say what for. Answers the signature, once it is confirmed. */
export async function sendUsdc(
  program: RunningProgram,
  { secret: from }: Customer,
  to: string,
  amount: bigint,
): Promise<string> {
  const { rpc_url, mints } = await testNetwork(program);
  const { signature } = await payOnChain({
    ...{ rpc_url, commitment: 'confirmed', from, to, mint: mints.USDC, decimals: 6 },
    ...{ amount, references: [] },
  });
  return signature;
}

interface Parsed {
  readonly parsed: { readonly info: { readonly tokenAmount: { readonly amount: string } } };
}
interface TokenAccounts {
  readonly value: readonly { readonly account: { readonly data: Parsed } }[];
}

/** What the chain shows of a wallet’s USDC, in base units. */
export async function usdcOf(program: RunningProgram, address: string): Promise<bigint> {
  const { rpc_url, mints } = await testNetwork(program);
  const { value } = await callRpc<TokenAccounts>(
    rpc_url, 'getTokenAccountsByOwner', address, { mint: mints.USDC }, { encoding: 'jsonParsed' },
  );
  const amounts = value.map(({ account }) => account.data.parsed.info.tokenAmount.amount);
  return amounts.reduce((sum, amount) => sum + BigInt(amount), 0n);
}
