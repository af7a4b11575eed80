import { createHash, randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const STEM = bs58.encode(randomBytes(32)).slice(0, -3);

describe('ledger', () => {
  let folder: string;
  let nowMs: number;
  let ledger: Ledger;
  let drawn = 0;
  const open = (where: string, settings: Partial<LedgerSettings> = {}) => {
    const usual = {
      slotMs: SLOT_MS,
      restSlotMs: SLOT_MS,
      finalitySlots: 32,
      blockhashBlocks: 150,
      timeOffsetMs: 0,
      snapshotSlots: 1_000,
      wall: () => nowMs,
    };
    return Ledger.open(where, { ...usual, ...settings }, MINTS.test);
  };

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
      .map(({ address, account: { lamports, data } }) => [address, lamports, data.toString('hex')])
      .map(String)
      .sort();

  const stateOf = (some: Ledger) => {
    const accounts = accountsOf(some);
    return {
      genesis: some.genesis.hash,
      accounts: accounts.length,
      digest: createHash('sha256').update(accounts.join()).digest('hex'),
      transactions: some.history.size,
    };
  };

  // Counted in its last digits, with nothing to compute: one test needs 44,000 of them.
  const address = () => {
    drawn += 1;
    const digits = [drawn / 58 ** 2, drawn / 58, drawn].map((n) => BASE58[Math.trunc(n) % 58]);
    return STEM + digits.join('');
  };
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
    const mint = MINTS.test.USDC;
    const lamports = ledger.vm.rentExemption(165);
    const first = writeTokenAccount({ mint, owner: address(), amount: 0n });
    for (let n = 0; n < 44_501; n += 1) {
      const data = Buffer.from(first);
      // Another owner, and another amount.
      data.writeUInt32LE(n, 32);
      data.writeBigUInt64LE(BigInt(n), 64);
      ledger.vm.setAccount(address(), { lamports, owner: TOKEN_PROGRAM, data, executable: false });
    }
    expect(() => ledger.vm.toBytes()).toThrow();
    pay();
    ledger.snapshot();
    const rich = address();
    nowMs += SLOT_MS;
    const dropped = pay(rich);
    const again = afterKill();
    const state = stateOf(again);
    expect(state.accounts).toBeGreaterThan(44_500);
    expect(state).toEqual(stateOf(ledger));
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

  it('finds token accounts by their owner, also after they changed hands', () => {
    const wallet = address();
    ledger.land(mintTransaction(ledger, wallet, 'USDT', 5n));
    const account = associatedAccount(wallet, MINTS.test.USDT);
    expect(ledger.tokens.accounts(wallet)).toEqual([account]);
    const stored = ledger.vm.account(account);
    const next = address();
    const data = writeTokenAccount({ mint: MINTS.test.USDT, owner: next, amount: 5n });
    if (stored) ledger.setAccount(account, { ...stored, data });
    expect([ledger.tokens.accounts(wallet), ledger.tokens.accounts(next)]).toEqual([[], [account]]);
  });
});
