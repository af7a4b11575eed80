import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLocalnet, type Localnet } from '@tender/localnet';
import { Unavailable, type Chain, type ChainTransaction, type Commitment, type Log } from '@tender/eventing';
import { freshWallet, payOnChain, TransferFailed, type OnChainPayment } from './customer-wallet';
import { rpcEndpoint } from './rpc-endpoint';
import { solanaChain } from './solana-chain';

const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const wall = () => performance.timeOrigin + performance.now();
const clock = { now: wall, wall };
const NO_MINTS = {
  USDC: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  USDT: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
};

/** A payment that is held up for minutes still names a hash that counts. */
const BLOCKHASH_BLOCKS = 12_000;

type Open = ReturnType<typeof solanaChain>;
const open = (rpc_url: string, mints: Chain['mints'], commitment: Commitment = 'confirmed'): Open =>
  solanaChain({ network: 'localnet', commitment, endpoints: [rpc_url], mints, clock, log: silentLog });

/** Walks the chain from a slot until a transaction of this signature was seen in a block. */
async function seen(
  chain: Chain,
  from: number,
  signature: string,
  key: string,
): Promise<ChainTransaction> {
  let after = from;
  for (;;) {
    for (const slot of await chain.slotsAfter(after, 64)) {
      const block = await chain.block(slot, (touched) => touched === key);
      const found = block?.transactions.find((transaction) => transaction.signature === signature);
      if (found) return found;
      after = slot;
    }
    await sleep(20);
  }
}

/** What any Solana node must do for this adapter; it needs SOL from `requestAirdrop` and nothing else. */
function chainConformance(name: string, urlOf: () => string): void {
  describe(`${name}: any node`, () => {
    let chain: Open;
    beforeAll(() => {
      chain = open(urlOf(), NO_MINTS);
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
      expect(await chain.transactionsOf(reference)).toEqual([transaction]);
      expect((await chain.balances(merchant.address)).SOL).toBe(1_000_000_000n);
    });

    it('knows nothing of a key that nobody used, and holds 0 for a wallet that is not there', async () => {
      const nobody = freshWallet().address;
      expect(await chain.transactionsOf(nobody)).toEqual([]);
      expect(await chain.balances(nobody)).toEqual({ SOL: 0n, USDC: 0n, USDT: 0n });
    });
  });
}

describe('the local chain', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tender-chain-'));
  let localnet: Localnet;
  let chain: Open;
  const network = () => localnet.networks.test;
  const control = <Answer>(method: string, fields: object) =>
    controlled<Answer>(network().rpc_url, method, fields);

  beforeAll(async () => {
    const pace = { slotMs: 50, blockhashBlocks: BLOCKHASH_BLOCKS };
    localnet = await startLocalnet({ dataDir: folder, ...pace });
    chain = open(network().rpc_url, network().mints);
  });
  afterAll(async () => {
    await chain.close();
    await localnet.close();
    rmSync(folder, { recursive: true, force: true });
  });

  chainConformance('localnet', () => network().rpc_url);

  async function customer(): Promise<string> {
    const wallet = freshWallet();
    await control('localnet_faucet', { address: wallet.address, token: 'SOL', amount: '1000000000' });
    await control('localnet_faucet', { address: wallet.address, token: 'USDC', amount: '5000000' });
    while ((await chain.balances(wallet.address)).USDC === 0n) await sleep(50);
    return wallet.secret;
  }
  const usdc = (more: Pick<OnChainPayment, 'from' | 'to' | 'references'> & Partial<OnChainPayment>) =>
    payOnChain({
      rpc_url: network().rpc_url,
      commitment: 'confirmed',
      mint: network().mints.USDC,
      decimals: 6,
      amount: 1_500_000n,
      ...more,
    });

  it('shows a token transfer with several references to an account that it creates', async () => {
    const merchant = freshWallet().address;
    const references = [freshWallet().address, freshWallet().address];
    const from = await chain.slot();
    const { signature } = await usdc({ from: await customer(), to: merchant, references, memo: 'order 7' });
    const account = chain.tokenAccount(merchant, 'USDC');
    const transaction = await seen(chain, from - 1, signature, account);
    const credit = transaction.changes.find((change) => change.owner === merchant);
    expect(credit).toEqual({
      account,
      owner: merchant,
      mint: network().mints.USDC,
      token_program: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      delta: 1_500_000n,
    });
    const places = references.map((reference) => transaction.account_keys.indexOf(reference));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(await chain.transactionsOf(references[1] as string)).toEqual([transaction]);
    expect((await chain.balances(merchant)).USDC).toBe(1_500_000n);
  });

  it('keeps a block by the owner of a token account, though the key is in no instruction', async () => {
    const merchant = freshWallet().address;
    const secret = await customer();
    await usdc({ from: secret, to: merchant, references: [] });
    const from = await chain.slot();
    const to_account = chain.tokenAccount(merchant, 'USDC');
    const again = { from: secret, to: merchant, to_account, references: [], amount: 7n };
    const { signature } = await usdc(again);
    const transaction = await seen(chain, from - 1, signature, merchant);
    expect(transaction.account_keys).not.toContain(merchant);
  });

  it('shows a transaction that landed and failed, with no change but its fee', async () => {
    const reference = freshWallet().address;
    const sent = usdc({
      from: await customer(),
      to: freshWallet().address,
      references: [reference],
      amount: 999_000_000n,
      skip_preflight: true,
    });
    await expect(sent).rejects.toBeInstanceOf(TransferFailed);
    const [transaction] = await chain.transactionsOf(reference);
    expect(transaction).toMatchObject({ failed: true, changes: [], sol_transfer_destinations: [] });
  });

  it('refuses before it lands what a wallet cannot pay', async () => {
    const sent = usdc({ from: freshWallet().secret, to: freshWallet().address, references: [] });
    await expect(sent).rejects.toMatchObject({ name: 'TransferFailed', signature: null });
  });

  it('gives null for a skipped slot and leaves it out of the list', async () => {
    type Skip = { readonly skipped: readonly number[] };
    const { skipped } = await control<Skip>('localnet_skipSlot', { count: 3 });
    const [first, last] = [Math.min(...skipped), Math.max(...skipped)];
    expect(skipped).toEqual([first, first + 1, last]);
    while ((await chain.slot()) <= last) await sleep(20);
    const [before, after] = await chain.slotsAfter(first - 2, 2);
    expect(before).toBe(first - 1);
    expect(after).toBeGreaterThan(last);
    for (const slot of skipped) expect(await chain.block(slot, () => true)).toBeNull();
  });

  it('tells of slots again after its websockets were cut, and of final ones when they are', async () => {
    const final = open(network().rpc_url, network().mints, 'finalized');
    const told: number[] = [];
    const finalized: { slot: number; confirmed: number }[] = [];
    const ends = [
      chain.onSlot((slot) => told.push(slot)),
      final.onSlot((slot) => {
        const confirmed = told.at(-1);
        if (confirmed !== undefined) finalized.push({ slot, confirmed });
      }),
    ];
    while (finalized.length === 0) await sleep(20);
    const [{ slot, confirmed } = { slot: Infinity, confirmed: 0 }] = finalized;
    expect(await final.slot()).toBeGreaterThanOrEqual(slot);
    expect(slot).toBeLessThan(confirmed);
    await control('localnet_dropWebsockets', {});
    const cut_at = await chain.slot();
    while (told.filter((slot) => slot > cut_at).length < 2) await sleep(20);
    ends.forEach((end) => end());
    await final.close();
  });

  it('does not show at finalized what is only confirmed', async () => {
    // No slot begins by itself here.
    const folder_of_own = join(folder, 'standing');
    const standing = await startLocalnet({ dataDir: folder_of_own, slotMs: 3_600_000 });
    const { rpc_url, mints } = standing.networks.test;
    const [early, final] = [open(rpc_url, mints), open(rpc_url, mints, 'finalized')];
    await controlled(rpc_url, 'localnet_warpSlots', { slots: 40 });
    const [confirmed, finalized] = await Promise.all([early.slot(), final.slot()]);
    expect(finalized).toBeLessThan(confirmed);
    expect(await early.slotsAfter(finalized, 1)).toEqual([finalized + 1]);
    expect(await final.slotsAfter(finalized, 1)).toEqual([]);
    await expect(final.block(confirmed, () => true)).rejects.toBeInstanceOf(Unavailable);
    await controlled(rpc_url, 'localnet_warpSlots', { slots: 1 });
    expect(await final.slotsAfter(finalized, 2)).toEqual([finalized + 1]);
    await Promise.all([early.close(), final.close()]);
    await standing.close();
  });
});

async function controlled<Answer>(rpc_url: string, method: string, fields: object) {
  const node = rpcEndpoint(rpc_url);
  const answer = await node.call<Answer>(method, [fields]);
  await node.close();
  return answer;
}

const remote = process.env['SOLANA_RPC_URL_TEST'];
if (remote) chainConformance(remote, () => remote);
