import { createHash, randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair, NONCE_ACCOUNT_LENGTH, SystemProgram, Transaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { decodeTransaction } from '../wire/decoded-transaction';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, writeTokenAccount } from '../wire/token-layout';
import { airdropTransaction, mintTransaction } from './faucet';
import { associatedAccount, MINTS } from './genesis';
import { Ledger } from './ledger';
import type { LedgerSettings } from './ledger-settings';
import { listSnapshots } from './snapshot';

const SLOT_MS = 400;
const DAY_MS = 86_400_000;

describe('ledger', () => {
  let folder: string;
  let nowMs: number;
  let ledger: Ledger;
  const open = (where: string, settings: Partial<LedgerSettings> = {}) =>
    Ledger.open(where, {
      slotMs: SLOT_MS,
      finalitySlots: 32,
      blockhashBlocks: 150,
      timeOffsetMs: 0,
      snapshotSlots: 1_000,
      wall: () => nowMs,
      ...settings,
    });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ledger-'));
    nowMs = 1_800_000_000_000;
    ledger = open(join(folder, 'a'));
  });
  afterEach(async () => {
    await ledger.close();
    rmSync(folder, { recursive: true });
  });

  /** The folder as kill -9 leaves it, opened by the next process. */
  function afterKill(name = 'killed'): Ledger {
    cpSync(join(folder, 'a'), join(folder, name), { recursive: true });
    return open(join(folder, name));
  }

  const accountsOf = ({ vm }: Ledger) =>
    [SYSTEM_PROGRAM, TOKEN_PROGRAM]
      .flatMap((program) => [...vm.accountsOwnedBy(program)])
      .map(({ address, account }) => `${address} ${account.lamports} ${account.data.toString('hex')}`)
      .sort();

  const stateOf = (some: Ledger) => ({
    genesis: some.genesis.hash,
    accounts: accountsOf(some).length,
    digest: createHash('sha256').update(accountsOf(some).join()).digest('hex'),
    transactions: some.history.size,
  });

  // Drawn without computing a key pair: one test needs 89,000 of them.
  const address = () => bs58.encode(randomBytes(32));
  const pay = (to = address()) => ledger.land(airdropTransaction(ledger, to, 5_000_000n));

  it('replays exactly from its log alone, with failed transactions and nonces', async () => {
    for (let n = 0; n < 30; n += 1) {
      pay();
      ledger.land(mintTransaction(ledger, address(), 'USDC', 1_000_000n));
      nowMs += SLOT_MS;
    }
    const nonce = Keypair.generate();
    const { faucet } = ledger.genesis.wallets;
    const fees = { feePayer: faucet.publicKey, recentBlockhash: ledger.hashes.of(ledger.touch()) };
    const create = new Transaction(fees).add(
      SystemProgram.createNonceAccount({
        fromPubkey: faucet.publicKey,
        noncePubkey: nonce.publicKey,
        authorizedPubkey: faucet.publicKey,
        lamports: Number(ledger.vm.rentExemption(NONCE_ACCOUNT_LENGTH)),
      }),
    );
    create.sign(faucet, nonce);
    expect(ledger.land(decodeTransaction(create.serialize()))?.error).toBeNull();
    const tooMuch = airdropTransaction(ledger, address(), 2n ** 60n);
    expect(ledger.land(tooMuch)?.error).toEqual({ InstructionError: [0, { Custom: 1 }] });
    ledger.setAccount(address(), {
      lamports: 77n, owner: SYSTEM_PROGRAM, data: Buffer.alloc(0), executable: false,
    });
    expect(listSnapshots(join(folder, 'a'))).toEqual([]);
    const again = afterKill();
    expect(stateOf(again)).toEqual(stateOf(ledger));
    await again.close();
  });

  it('replays exactly from a snapshot and the log after it', async () => {
    pay();
    ledger.snapshot();
    nowMs += SLOT_MS;
    const late = address();
    pay(late);
    const again = afterKill();
    expect(stateOf(again)).toEqual(stateOf(ledger));
    expect(again.vm.lamports(late)).toBe(5_000_000n);
    await again.close();
  });

  it('writes a snapshot by itself, and does without a damaged one', async () => {
    const small = open(join(folder, 'b'), { snapshotSlots: 3 });
    for (let n = 0; n < 4; n += 1) {
      small.land(airdropTransaction(small, address(), 5_000_000n));
      nowMs += SLOT_MS;
    }
    const [snapshot] = listSnapshots(join(folder, 'b'));
    expect(snapshot).toBeDefined();
    const bytes = readFileSync(snapshot?.path ?? '');
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1;
    writeFileSync(snapshot?.path ?? '', bytes);
    cpSync(join(folder, 'b'), join(folder, 'c'), { recursive: true });
    const again = open(join(folder, 'c'));
    expect(stateOf(again)).toEqual(stateOf(small));
    await again.close();
    await small.close();
  });

  it('11: above 43,690 accounts it still saves, restarts and rolls back', async () => {
    const mint = MINTS.USDC;
    const lamports = ledger.vm.rentExemption(165);
    for (let n = 0; n < 44_501; n += 1) {
      const data = writeTokenAccount({ mint, owner: address(), amount: BigInt(n) });
      ledger.vm.setAccount(address(), { lamports, owner: TOKEN_PROGRAM, data, executable: false });
    }
    expect(() => ledger.vm.toBytes()).toThrow();
    pay();
    ledger.snapshot();
    const rich = address();
    nowMs += SLOT_MS;
    const dropped = pay(rich);
    const again = afterKill();
    expect(accountsOf(again).length).toBeGreaterThan(44_500);
    expect(stateOf(again)).toEqual(stateOf(ledger));
    again.rollback(again.timeline.tip - 1);
    expect(again.history.get(dropped?.signature ?? '')).toBeUndefined();
    expect(again.vm.lamports(rich)).toBe(0n);
    await again.close();
  });

  it('a rollback survives a kill, and so does what landed after it', async () => {
    const [early, late, after] = [address(), address(), address()];
    pay(early);
    nowMs += SLOT_MS;
    ledger.snapshot();
    pay(late);
    nowMs += SLOT_MS;
    ledger.snapshot();
    ledger.rollback(ledger.touch() - 2);
    pay(after);
    const again = afterKill();
    const lamports = [early, late, after].map((each) => again.vm.lamports(each));
    expect(lamports).toEqual([5_000_000n, 0n, 5_000_000n]);
    expect(stateOf(again)).toEqual(stateOf(ledger));
    await again.close();
  });

  it('10,000 idle slots cost nothing: no file grows, nothing is remembered', () => {
    const size = () => statSync(join(folder, 'a', 'ledger.log')).size;
    const before = size();
    const first = ledger.touch();
    for (let slot = 0; slot < 10_000; slot += 100) {
      nowMs += 100 * SLOT_MS;
      ledger.touch();
    }
    expect(ledger.timeline.blocksBetween(first + 1, Infinity)).toHaveLength(10_000);
    expect(size()).toBe(before);
  });

  it('a day that nobody asked about is skipped, not filled', () => {
    const first = ledger.touch();
    const last = { slot: first, hash: ledger.hashes.of(first) };
    nowMs += DAY_MS;
    const finalized = ledger.newestSlot('finalized');
    expect(nowMs / 1000 - ledger.blockTime(finalized)).toBeLessThanOrEqual(14);
    expect(ledger.timeline.blocksBetween(first, Infinity).length).toBeLessThan(50);
    expect(ledger.touch() - first).toBeLessThan(1_100);
    expect(ledger.hashes.of(last.slot)).toBe(last.hash);
    expect(ledger.slotOfUsableHash(last.hash)).toBeNull();
  });

  it('keeps every block that was shown before a kill, and skips the time it was dead', async () => {
    for (let second = 0; second < 100; second += 1) {
      nowMs += 1_000;
      ledger.touch();
    }
    const shown = ledger.timeline.blocksBetween(0, Infinity);
    const describeBlock = (chain: Ledger) => (slot: number) =>
      [slot, chain.hashes.of(slot), chain.blockTime(slot), chain.timeline.parentOf(slot)];
    const before = shown.map(describeBlock(ledger));
    nowMs += DAY_MS;
    const again = afterKill();
    const blocks = (again.touch(), again.timeline.blocksBetween(0, Infinity));
    expect(blocks.slice(0, shown.length).map(describeBlock(again))).toEqual(before);
    expect(blocks.length - shown.length).toBeLessThan(100);
    expect(again.blockTime(again.touch())).toBe(nowMs / 1000);
    await again.close();
  });

  it.each([
    ['processed', 0],
    ['confirmed', 1],
    ['finalized', 32],
  ] as const)('shows %s blocks, %i slots behind, as time goes on', (commitment, depth) => {
    nowMs += 20_000;
    ledger.touch();
    for (let second = 0; second < 60; second += 1) {
      nowMs += 1_000;
      const behindMs = nowMs - ledger.blockTime(ledger.newestSlot(commitment)) * 1_000;
      expect(behindMs).toBeGreaterThanOrEqual(depth * SLOT_MS);
      // One slot for the block that is being filled, one second for rounding.
      expect(behindMs).toBeLessThan((depth + 1) * SLOT_MS + 1_000);
    }
  });

  it('block times never fall, whatever the machine does to its clock', async () => {
    nowMs += 10_000;
    const before = ledger.blockTime(ledger.touch());
    nowMs -= 3_600_000;
    expect(ledger.blockTime(ledger.touch())).toBe(before);
    nowMs += 6_000;
    expect(ledger.blockTime(ledger.touch())).toBe(before + 6);
    const again = afterKill();
    nowMs += 2_000;
    expect(again.blockTime(again.touch())).toBeGreaterThanOrEqual(before);
    await again.close();
  });

  it('its offset only moves time forwards, and outlives a kill', async () => {
    expect(ledger.moveTime(7_200_000)).toBe(true);
    expect(ledger.blockTime(ledger.touch())).toBe((nowMs + 7_200_000) / 1000);
    expect(ledger.moveTime(3_600_000)).toBe(false);
    expect(ledger.now()).toBe(nowMs + 7_200_000);
    const again = afterKill();
    expect(again.now()).toBe(nowMs + 7_200_000);
    await again.close();
  });

  it('finds token accounts by their owner, also after they changed hands', () => {
    const wallet = address();
    ledger.land(mintTransaction(ledger, wallet, 'USDT', 5n));
    const account = associatedAccount(wallet, MINTS.USDT);
    expect(ledger.tokens.accounts(wallet)).toEqual([account]);
    const stored = ledger.vm.account(account);
    const next = address();
    const data = writeTokenAccount({ mint: MINTS.USDT, owner: next, amount: 5n });
    if (stored) ledger.setAccount(account, { ...stored, data });
    expect([ledger.tokens.accounts(wallet), ledger.tokens.accounts(next)]).toEqual([[], [account]]);
  });
});
