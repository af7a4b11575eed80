import { setTimeout as sleep } from 'node:timers/promises';
import { freshWallet, payOnChain } from './customer-wallet';
import { rpcEndpoint } from './rpc-endpoint';
import { TestLocalnet, openChain, seen, type OpenChain } from './testing/test-localnet';

const NO_MINTS = {
  USDC: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  USDT: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
};

/** What any Solana node must do for this adapter; it needs SOL from `requestAirdrop` and nothing else. */
function chainConformance(name: string, urlOf: () => string): void {
  describe(`${name}: any node`, () => {
    let chain: OpenChain;
    beforeAll(() => {
      chain = openChain(urlOf(), NO_MINTS);
    });
    afterAll(() => chain.close());

    it('names its genesis and its newest slot', async () => {
      expect(await chain.genesisHash()).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
      expect(await chain.slot()).toBeGreaterThan(0);
    });

    it('tells of slots whose blocks are there', async () => {
      const told: number[] = [];
      const end = chain.onSlot((slot) => told.push(slot));
      while (told.length < 3) await sleep(20);
      end();
      expect(await chain.slot()).toBeGreaterThanOrEqual(told[2] as number);
      expect([...told].sort((one, other) => one - other)).toEqual(told);
      const [listed] = await chain.slotsAfter((told[2] as number) - 1, 1);
      expect(listed).toBe(told[2]);
    });

    it('lists slots that rise, from the next one on, no more than asked for', async () => {
      const tip = await chain.slot();
      const slots = await chain.slotsAfter(Math.max(0, tip - 20), 5);
      expect(slots.length).toBeLessThanOrEqual(5);
      expect([...slots].sort((one, other) => one - other)).toEqual(slots);
      expect(await chain.slotsAfter(tip + 1_000_000, 5)).toEqual([]);
    });

    it('shows a SOL transfer in its block and by its reference, net of no fee', async () => {
      const payer = freshWallet();
      const merchant = freshWallet();
      const reference = freshWallet().address;
      const node = rpcEndpoint(urlOf());
      await node.call('requestAirdrop', [payer.address, 2_000_000_000]);
      while ((await chain.balances(payer.address)).SOL === 0n) await sleep(100);
      await node.close();
      const from = await chain.slot();
      const { signature } = await payOnChain({
        rpc_url: urlOf(),
        commitment: 'confirmed',
        from: payer.secret,
        to: merchant.address,
        mint: null,
        decimals: 9,
        amount: 1_000_000_000n,
        references: [reference],
      });
      const transaction = await seen(chain, from - 1, signature, reference);
      expect(transaction).toMatchObject({
        failed: false,
        fee_payer: payer.address,
        sol_transfer_destinations: [merchant.address],
      });
      expect(transaction.account_keys).toContain(reference);
      const deltas = transaction.changes.map(({ owner, delta, mint }) => [owner, delta, mint]);
      expect(deltas).toEqual([
        [payer.address, -1_000_000_000n, null],
        [merchant.address, 1_000_000_000n, null],
      ]);
      expect(await chain.transactionsOf(reference, 0)).toEqual([transaction]);
      expect(await chain.transaction(signature)).toEqual(transaction);
      expect((await chain.balances(merchant.address)).SOL).toBe(1_000_000_000n);
    });

    it('knows nothing of a key that was never used, and holds 0 for a wallet that is not there', async () => {
      const nobody = freshWallet().address;
      expect(await chain.transactionsOf(nobody, 0)).toEqual([]);
      expect(await chain.transaction('1'.repeat(64))).toBeNull();
      expect(await chain.balances(nobody)).toEqual({ SOL: 0n, USDC: 0n, USDT: 0n });
    });
  });
}

describe('the local chain', () => {
  const local = new TestLocalnet();
  beforeAll(() => local.start());
  afterAll(() => local.stop());

  chainConformance('localnet', () => local.network.rpc_url);
});

const remote = process.env['SOLANA_RPC_URL_TEST'];
if (remote) chainConformance(remote, () => remote);
