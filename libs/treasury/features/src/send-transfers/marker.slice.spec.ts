import { setTimeout as sleep } from 'node:timers/promises';
import {
  base58,
  compileMessage,
  createTokenAccount,
  markerOf,
  outgoingMessage,
  transactionBytes,
  transferToken,
} from '@tender/transactions';
import { PayoutHouse } from '../testing/payout-house';

const house = new PayoutHouse();
beforeAll(() => house.start());
afterAll(() => house.close());

const AMOUNT = 10_000_000n;

/** What signs the same transfer again over another blockhash, with its marker and without one. */
const messages = {
  marked: (transfer_id: string, to: string, recent_blockhash: string) => {
    const { mint, source, destination } = tokenOf(to);
    return outgoingMessage({
      ...{ wallet: house.wallet, fee_payer: house.key.address },
      ...{ to, amount: AMOUNT, recent_blockhash },
      token: { mint, decimals: 6, source, destination },
      marker: markerOf(house.wallet, transfer_id),
      compute: { unit_limit: 100_000, unit_price: 1n },
    });
  },
  bare: (_: string, to: string, recent_blockhash: string) => {
    const { mint, source, destination } = tokenOf(to);
    const fee_payer = house.key.address;
    const instructions = [
      createTokenAccount({ payer: fee_payer, account: destination, owner: to, mint }),
      transferToken({
        ...{ source, destination, owner: house.wallet, mint, decimals: 6, amount: AMOUNT },
      }),
    ];
    return compileMessage({ fee_payer, recent_blockhash, instructions });
  },
};

const tokenOf = (to: string) => ({
  mint: house.local.network.mints.USDC,
  source: house.chain.tokenAccount(house.wallet, 'USDC'),
  destination: house.chain.tokenAccount(to, 'USDC'),
});

/** Signs and sends it; the error of the chain, null for none. */
async function landed(message: Uint8Array): Promise<string | null> {
  const fee_signature = await house.key.sign(message);
  const { wallet } = house.custody;
  const signatures = { [wallet.address]: wallet.sign(message), [house.key.address]: fee_signature };
  await house.chain.send(transactionBytes(message, signatures));
  for (;;) {
    const { statuses } = await house.chain.signatureStatuses([base58(fee_signature)]);
    const [status = null] = statuses;
    if (status !== null && status.commitment !== 'processed') return status.error;
    await sleep(20);
  }
}

test.each([
  ['marked', 'fails', AMOUNT],
  ['bare', 'pays twice', 2n * AMOUNT],
] as const)('a transfer that is %s, signed again after it has landed, %s', async (kind, _, paid) => {
  const { transfer_id, to } = house.refund();
  const message = async () => {
    const { blockhash } = await house.chain.latestBlockhash();
    return messages[kind](transfer_id, to, blockhash);
  };
  const first = await message();
  expect(await landed(first)).toBeNull();
  let again = await message();
  while (Buffer.compare(first, again) === 0) again = await message();
  expect((await landed(again)) === null).toBe(kind === 'bare');
  expect(await house.tokens(to)).toBe(paid);
});
