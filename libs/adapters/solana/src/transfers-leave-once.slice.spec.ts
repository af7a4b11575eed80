import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  closeMarker,
  compileMessage,
  markerOf,
  OUTGOING_UNIT_LIMIT,
  outgoingMessage,
  MARKER_RENT,
  signatureBytes,
  signerOf,
  TOKEN_PROGRAM,
  transactionBytes,
  readTransaction,
  transactionSignature,
  transferSol,
  type Instruction,
  type Signer,
} from '@tender/transactions';
import { TestLocalnet, type OpenChain } from './testing/test-localnet';

const SIGNATURE_FEE = 5_000n;
const compute = { unit_limit: OUTGOING_UNIT_LIMIT, unit_price: 0n };
const local = new TestLocalnet();
let chain: OpenChain;
beforeAll(async () => {
  await local.start();
  ({ chain } = local);
});
afterAll(() => local.stop());

const newSigner = (): Signer => signerOf(randomBytes(32));

interface House {
  readonly wallet: Signer;
  readonly fees: Signer;
  readonly customer: string;
}

async function house(token: 'USDC' | 'SOL'): Promise<House> {
  const [wallet, fees, customer] = [newSigner(), newSigner(), newSigner().address];
  const fund = (address: string, asset: string, amount: bigint) =>
    local.control('localnet_faucet', { address, token: asset, amount: `${amount}` });
  await fund(fees.address, 'SOL', 1_000_000_000n);
  await fund(wallet.address, token, 3_000_000_000n);
  while ((await chain.balances(wallet.address))[token] === 0n) await sleep(20);
  return { wallet, fees, customer };
}

/** Sends it, and waits until it has ended: null, or what the chain says. */
async function ended(message: Uint8Array, signers: readonly Signer[]): Promise<string | null> {
  const signatures = Object.fromEntries(signers.map((one) => [one.address, one.sign(message)]));
  const wire = transactionBytes(message, signatures);
  await chain.send(wire);
  const transaction = readTransaction(wire);
  const signature = transaction && transactionSignature(transaction);
  expect(signatureBytes(signature ?? '')).not.toBeNull();
  for (;;) {
    const { statuses } = await chain.signatureStatuses([signature as string]);
    const [status] = statuses;
    if (status && status.commitment !== 'processed') return status.error;
    await sleep(20);
  }
}

async function transfer({ wallet, fees, customer }: House, token: 'USDC' | 'SOL', id: string) {
  const { blockhash } = await chain.latestBlockhash();
  const sent = token === 'SOL' ? null : {
    ...{ mint: local.network.mints.USDC, decimals: 6 },
    source: chain.tokenAccount(wallet.address, token),
    destination: chain.tokenAccount(customer, token),
  };
  return outgoingMessage({
    ...{ wallet: wallet.address, fee_payer: fees.address, to: customer, token: sent },
    ...{ amount: 1_000_000_000n, marker: markerOf(wallet.address, id) },
    ...{ recent_blockhash: blockhash, compute },
  });
}

/** Another blockhash than before, so that the same transfer has other bytes. */
async function anotherBlock(): Promise<void> {
  const { blockhash } = await chain.latestBlockhash();
  while ((await chain.latestBlockhash()).blockhash === blockhash) await sleep(20);
}

const lamportsOf = async (address: string) => (await chain.accounts([address]))[0]?.lamports ?? 0n;

describe.each(['USDC', 'SOL'] as const)('%s', (token) => {
  test('a transfer that is signed again over another blockhash moves nothing; another transfer does', async () => {
    const its = await house(token);
    const signers = [its.fees, its.wallet];
    expect(await ended(await transfer(its, token, 'first'), signers)).toBeNull();
    await anotherBlock();
    expect(await ended(await transfer(its, token, 'first'), signers)).not.toBeNull();
    expect((await chain.balances(its.customer))[token]).toBe(1_000_000_000n);
    expect(await ended(await transfer(its, token, 'second'), signers)).toBeNull();
    expect((await chain.balances(its.customer))[token]).toBe(2_000_000_000n);
  });
});

const send = async (
  fees: Signer,
  instructions: readonly Instruction[],
  signers: readonly Signer[],
) => {
  const { blockhash } = await chain.latestBlockhash();
  const plan = { fee_payer: fees.address, recent_blockhash: blockhash, instructions };
  return ended(compileMessage(plan), signers);
};

test('lamports that a stranger sends to the address before are no marker, and stop no transfer', async () => {
  const its = await house('USDC');
  const marker = markerOf(its.wallet.address, 'guessed');
  await send(its.fees, [transferSol(its.fees.address, marker.address, MARKER_RENT)], [its.fees]);
  expect(await ended(await transfer(its, 'USDC', 'guessed'), [its.fees, its.wallet])).toBeNull();
  const [account] = await chain.accounts([marker.address]);
  expect(account).toMatchObject({ owner: TOKEN_PROGRAM, lamports: 2n * MARKER_RENT });
});

test('the fee wallet gets the rent of a marker back to the lamport, whatever was sent to it, and no one else does', async () => {
  const its = await house('USDC');
  const { wallet, fees } = its;
  const marker = markerOf(wallet.address, 'closed').address;
  expect(await ended(await transfer(its, 'USDC', 'closed'), [fees, wallet])).toBeNull();
  const thief = newSigner();
  await local.control('localnet_faucet', { address: thief.address, token: 'SOL', amount: '1000000000' });
  while ((await lamportsOf(thief.address)) === 0n) await sleep(20);
  expect(await send(thief, [closeMarker(marker, thief.address)], [thief])).not.toBeNull();
  await send(thief, [transferSol(thief.address, marker, 7n)], [thief]);
  const before = await lamportsOf(fees.address);
  expect(await send(fees, [closeMarker(marker, fees.address)], [fees])).toBeNull();
  expect(await lamportsOf(fees.address)).toBe(before + MARKER_RENT + 7n - SIGNATURE_FEE);
  expect(await lamportsOf(marker)).toBe(0n);
});
