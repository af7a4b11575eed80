import { setTimeout as sleep } from 'node:timers/promises';
import {
  base58,
  compileMessage,
  computeBudget,
  readTransaction,
  type Signer,
  SYSTEM_PROGRAM,
  transactionSignature,
  transferSol,
} from '@tender/transactions';
import { freshTestWallet, signedBy } from '@tender/transactions/testing';
import { rpcEndpoint } from './rpc-endpoint';
import { openChain, TestLocalnet, type OpenChain } from './testing/test-localnet';
import { MINTS } from './testing/scripted-node';

const FEE = 5_000n;

/** What any Solana node must do for who sends transactions; it needs SOL from `requestAirdrop` and nothing else. */
function sendingConformance(name: string, urlOf: () => string): void {
  describe(`${name}: any node`, () => {
    let chain: OpenChain;
    const payer = freshTestWallet();
    beforeAll(async () => {
      chain = openChain(urlOf(), MINTS);
      const node = rpcEndpoint(urlOf());
      await node.call('requestAirdrop', [payer.address, 1_000_000_000]);
      await node.close();
      while ((await lamportsOf(payer.address)) === 0n) await sleep(50);
    });
    afterAll(() => chain.close());

    const lamportsOf = async (address: string): Promise<bigint> =>
      (await chain.accounts([address]))[0]?.lamports ?? 0n;

    async function transferTo(to: string, lamports: bigint, from: Signer = payer) {
      const { blockhash, last_valid_block_height, slot } = await chain.latestBlockhash();
      const instructions = [
        ...computeBudget({ unit_limit: 1_000, unit_price: 0n }),
        transferSol(from.address, to, lamports),
      ];
      const plan = { fee_payer: from.address, recent_blockhash: blockhash, instructions };
      const wire = signedBy(compileMessage(plan), from);
      const signature = transactionSignature(readTransaction(wire) as never) as string;
      return { wire, signature, slot, last_valid_block_height };
    }

    async function landed(signature: string) {
      for (;;) {
        const [status] = (await chain.signatureStatuses([signature])).statuses;
        if (status && status.commitment !== 'processed') return status;
        await sleep(20);
      }
    }

    it('tells what was offered lately for a compute unit, where it was offered at all', async () => {
      const prices = await chain.recentUnitPrices([payer.address]);
      expect(prices.every((price) => price >= 0n)).toBe(true);
    });

    it('gives a blockhash that lives for a while', async () => {
      const { finalized_block_height, finalized_slot } = await chain.finalPart();
      const { blockhash, last_valid_block_height, slot } = await chain.latestBlockhash();
      expect(blockhash).toMatch(/^\w{32,44}$/);
      expect(slot).toBeGreaterThanOrEqual(finalized_slot);
      expect(finalized_slot).toBeGreaterThanOrEqual(finalized_block_height);
      expect(last_valid_block_height).toBeGreaterThan(finalized_block_height);
    });

    it('shows accounts in the order of their addresses, and null for none', async () => {
      const nobody = freshTestWallet().address;
      const [none, own] = await chain.accounts([nobody, payer.address]);
      expect(none).toBeNull();
      expect(own).toMatchObject({ owner: SYSTEM_PROGRAM, data: Buffer.alloc(0) });
      expect(own?.lamports).toBeGreaterThan(FEE);
    });

    it('tells beforehand what a transaction would do, signed or not, and changes nothing', async () => {
      const to = freshTestWallet().address;
      const { wire, slot } = await transferTo(to, 2_000_000n);
      const unsigned = Buffer.from(wire).fill(0, 1, 65);
      for (const transaction of [wire, unsigned]) {
        const accounts = [payer.address, to];
        expect(await chain.simulate(transaction, { min_slot: slot, accounts })).toEqual({
          error: null,
          compute_units: expect.any(Number),
          lamports: [-2_000_000n - FEE, 2_000_000n],
        });
      }
      expect(await lamportsOf(to)).toBe(0n);
    });

    it('says why a transaction would fail', async () => {
      const { wire, slot } = await transferTo(freshTestWallet().address, 10n ** 18n);
      const { error } = await chain.simulate(wire, { min_slot: slot, accounts: [payer.address] });
      expect(error).toMatch(/InstructionError/);
    });

    it('lands the same bytes once, however often they are sent, and follows them', async () => {
      const to = freshTestWallet().address;
      const { wire, signature, last_valid_block_height } = await transferTo(to, 3_000_000n);
      expect((await chain.signatureStatuses([signature])).statuses).toEqual([null]);
      for (let time = 0; time < 3; time += 1) await chain.send(wire);
      expect(await landed(signature)).toMatchObject({ error: null, slot: expect.any(Number) });
      await chain.send(wire);
      expect(await lamportsOf(to)).toBe(3_000_000n);
      const { finalized_block_height } = await chain.signatureStatuses([signature]);
      expect(finalized_block_height).toBeLessThan(last_valid_block_height);
    });

    it('shows a transaction that failed on chain, and why', async () => {
      const from = freshTestWallet();
      const funds = await transferTo(from.address, 1_500_000n);
      await chain.send(funds.wire);
      await landed(funds.signature);
      // More than it has: the fee is taken, and nothing else.
      const { wire, signature } = await transferTo(payer.address, 10n ** 12n, from);
      await chain.send(wire);
      expect((await landed(signature)).error).toMatch(/InstructionError/);
      expect(await lamportsOf(from.address)).toBe(1_500_000n - FEE);
    });

    it('knows no status of a signature that nobody made', async () => {
      const { statuses } = await chain.signatureStatuses([base58(new Uint8Array(64).fill(7))]);
      expect(statuses).toEqual([null]);
    });
  });
}

describe('the local chain', () => {
  const local = new TestLocalnet();
  beforeAll(() => local.start());
  afterAll(() => local.stop());
  sendingConformance('localnet', () => local.network.rpc_url);
});

const remote = process.env['SOLANA_RPC_URL_TEST'];
if (remote) sendingConformance(remote, () => remote);
