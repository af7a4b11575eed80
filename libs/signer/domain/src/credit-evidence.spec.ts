import {
  associatedTokenAccount,
  base58,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@tender/transactions';
import { creditOf, type CreditedWallets, type CreditEvidence } from './credit-evidence';
import { toldTransaction } from './told-transaction';

const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const [WALLET, PAYER, OTHER, USDC, USDT] = [1, 2, 3, 4, 5].map((fill) =>
  base58(Buffer.alloc(32, fill)),
) as [string, string, string, string, string];
const nothing: CreditEvidence = {
  ...{ found: false, failed: false, credited: WALLET, net_credit: 0n, sources: [] },
  is_exchange: false,
};
const FOUND = { found: true, failed: false, credited: WALLET, is_exchange: false };
const ofOwn = (answer: unknown, mint: string | null): CreditEvidence =>
  ofBoth(answer, mint, { wallet: WALLET, settlement_wallet: null });
const ofBoth = (answer: unknown, mint: string | null, wallets: CreditedWallets): CreditEvidence =>
  creditOf(toldTransaction(answer), wallets, mint);

interface Balance {
  readonly accountIndex?: number;
  readonly mint?: string;
  readonly owner?: string | undefined;
  readonly programId?: string | undefined;
}
const balance = (owner: string | undefined, amount: string, changes: Balance = {}) => ({
  ...{ accountIndex: owner === WALLET ? PAYOUT : 0, mint: USDC, owner, programId: TOKEN_PROGRAM },
  ...{ uiTokenAmount: { amount }, ...changes },
});
const [PAYOUT, BESIDE] = [5, 6];
const payouts = associatedTokenAccount(WALLET, USDC);
const keys = [PAYER, WALLET, OTHER, SYSTEM_PROGRAM, 'program', payouts, 'beside'];
const HEADER = { numRequiredSignatures: 1 };
type Fields = Readonly<Record<string, unknown>>;
const told = (meta: Fields, message: Fields = {}): Fields => ({
  transaction: {
    ...{ message: { accountKeys: keys, header: HEADER, instructions: [], ...message } },
    signatures: [],
  },
  meta: {
    ...{ err: null, fee: 5_000, logMessages: ['Program log: Instruction: TransferChecked'] },
    ...{ preBalances: keys.map(() => 0), postBalances: keys.map(() => 0) },
    ...meta,
  },
});
const tokens = (pre: unknown, post: unknown, mint = USDC) =>
  ofOwn(told({ preTokenBalances: pre, postTokenBalances: post }), mint);

const systemData = (kind: number, lamports: bigint, bytes = 12): string => {
  const data = Buffer.alloc(bytes);
  data.writeUInt32LE(kind);
  if (bytes >= 12) data.writeBigUInt64LE(lamports, 4);
  return base58(data);
};
const transfer = (
  lamports: bigint,
  accounts: readonly number[] = [0, 1],
  changes: Fields = {},
) => ({
  ...{ programIdIndex: 3, accounts, data: systemData(2, lamports) },
  ...changes,
});
const lamports = (delta: number, instructions: readonly unknown[], meta: Fields = {}) => {
  const preBalances = [50_000, 1_000, 0, 0, 0, 0, 0];
  const postBalances = [50_000 - delta, 1_000 + delta, 0, 0, 0, 0, 0];
  return ofOwn(told({ preBalances, postBalances, ...meta }, { instructions }), null);
};

describe('a credit in tokens', () => {
  test('is what the wallet has more, from the one who has less', () => {
    const evidence = tokens(
      [balance(PAYER, '70'), balance(WALLET, '5')],
      [balance(PAYER, '60'), balance(WALLET, '15')],
    );
    expect(evidence).toEqual({ ...FOUND, net_credit: 10n, sources: [PAYER] });
  });

  test('is no more than all accounts of the wallet have more together, those that are closed included', () => {
    const evidence = tokens(
      [balance(PAYER, '70'), balance(WALLET, '5'), balance(WALLET, '3', { accountIndex: BESIDE })],
      [balance(PAYER, '60'), balance(WALLET, '18')],
    );
    expect(evidence).toMatchObject({ net_credit: 10n, sources: [PAYER] });
  });

  test('is nothing where it lies in an account that no refund leaves from', () => {
    const given = balance(WALLET, '9', { accountIndex: BESIDE });
    // Sent there, or handed over with what was in it.
    expect(tokens([balance(PAYER, '9')], [balance(PAYER, '0'), given])).toMatchObject({
      net_credit: 0n,
      sources: [PAYER],
    });
    const handed = balance(PAYER, '9', { accountIndex: BESIDE });
    expect(tokens([handed], [given])).toMatchObject({ net_credit: 0n, sources: [PAYER] });
  });

  test('is nothing where it was taken back, or moved between accounts of the wallet', () => {
    const same = [balance(PAYER, '70'), balance(WALLET, '5')];
    expect(tokens(same, same)).toMatchObject({ net_credit: 0n, sources: [] });
  });

  test('names all who have less', () => {
    const evidence = tokens(
      [balance(PAYER, '7'), balance(OTHER, '7')],
      [balance(PAYER, '6'), balance(OTHER, '6'), balance(WALLET, '2')],
    );
    expect(evidence).toMatchObject({ net_credit: 2n, sources: [PAYER, OTHER] });
  });

  test('counts no other mint, no other program, no other owner', () => {
    expect(tokens([balance(PAYER, '9')], [balance(WALLET, '9')], USDT)).toMatchObject({
      net_credit: 0n,
      sources: [],
    });
    for (const programId of [TOKEN_2022, undefined]) {
      const ofProgram = [
        balance(PAYER, '9', { programId }),
        balance(WALLET, '9', { programId }),
      ] as const;
      expect(tokens([ofProgram[0]], [ofProgram[1]])).toMatchObject({ net_credit: 0n, sources: [] });
    }
    expect(tokens([balance(PAYER, '9')], [balance(OTHER, '9')])).toMatchObject({ net_credit: 0n });
  });

  test('of an owner that the node does not tell is not the payer’s', () => {
    const evidence = tokens(
      [balance(undefined, '9'), balance(PAYER, '1')],
      [balance(WALLET, '10')],
    );
    expect(evidence.sources).toHaveLength(2);
    expect(tokens([balance(PAYER, '9')], [balance(undefined, '9')])).toMatchObject({
      net_credit: 0n,
    });
  });

  test('of an account that was handed over came from who had it', () => {
    expect(tokens([balance(PAYER, '9')], [balance(WALLET, '9')])).toMatchObject({
      net_credit: 9n,
      sources: [PAYER],
    });
  });

  test('is exact above 2^53', () => {
    const evidence = tokens(
      [balance(PAYER, '18446744073709551615')],
      [balance(WALLET, '18446744073709551615')],
    );
    expect(evidence.net_credit).toBe(18_446_744_073_709_551_615n);
  });
});

describe('a credit in SOL', () => {
  test('is what System transfers brought, at either level', () => {
    expect(lamports(900, [transfer(900n)])).toEqual({
      ...{ ...FOUND, net_credit: 900n, sources: [PAYER] },
    });
    const innerInstructions = [
      { index: 0, instructions: [transfer(400n)] },
      { index: 1, instructions: [transfer(500n)] },
    ];
    expect(lamports(900, [], { innerInstructions })).toMatchObject({
      net_credit: 900n,
      sources: [PAYER],
    });
  });

  test('is no more than the wallet has more', () => {
    expect(lamports(300, [transfer(900n)])).toMatchObject({ net_credit: 300n });
  });

  test('is no more than transfers brought: lamports of an account that was closed have no source', () => {
    expect(lamports(900, [transfer(1n)])).toMatchObject({ net_credit: 1n });
    expect(lamports(900, [])).toMatchObject({ net_credit: 0n, sources: [] });
  });

  test.each([
    ['another program’s instruction', transfer(900n, [0, 1], { programIdIndex: 4 })],
    [
      'another instruction of the System program',
      transfer(900n, [0, 1], { data: systemData(0, 900n) }),
    ],
    ['a longer instruction', transfer(900n, [0, 1], { data: systemData(2, 900n, 13) })],
    ['a transfer to another', transfer(900n, [0, 2])],
    ['a transfer of the wallet to itself', transfer(900n, [1, 1])],
    ['a transfer that names no receiver', transfer(900n, [0])],
    ['data that is no base58', transfer(900n, [0, 1], { data: '0OIl' })],
  ])('is none through %s', (_, instruction) => {
    expect(lamports(900, [instruction])).toMatchObject({ net_credit: 0n, sources: [] });
  });

  test('names each source once', () => {
    expect(lamports(900, [transfer(300n), transfer(300n), transfer(300n, [2, 1])]).sources).toEqual(
      [PAYER, OTHER],
    );
  });

  test('finds accounts of look-up tables behind the others, those that are written first', () => {
    const loadedAddresses = { writable: [OTHER], readonly: [SYSTEM_PROGRAM] };
    const answer = told(
      { preBalances: [9, 0, 9, 1], postBalances: [9, 5, 4, 1], loadedAddresses },
      { accountKeys: [PAYER, WALLET], instructions: [transfer(5n, [2, 1], { programIdIndex: 3 })] },
    );
    expect(ofOwn(answer, null)).toMatchObject({ net_credit: 5n, sources: [OTHER] });
  });
});

describe('where money comes to the wallet of the roster', () => {
  const SETTLES = OTHER;
  const AT_SETTLES = keys.length;
  const wallets = { wallet: WALLET, settlement_wallet: SETTLES };
  const accountKeys = [...keys, associatedTokenAccount(SETTLES, USDC)];
  const none = accountKeys.map(() => 0);
  const theirs = (amount: string, changes: Balance = {}) =>
    balance(SETTLES, amount, { accountIndex: AT_SETTLES, ...changes });
  const brought = (
    pre: readonly unknown[],
    post: readonly unknown[],
    { meta = {}, message = {} }: { readonly meta?: Fields; readonly message?: Fields } = {},
  ) => {
    const balances = { preBalances: none, postBalances: none, ...meta };
    const both = { preTokenBalances: pre, postTokenBalances: post, ...balances };
    return ofBoth(told(both, { accountKeys, ...message }), USDC, wallets);
  };

  test('that is the credit, from the one who has less', () => {
    expect(brought([balance(PAYER, '9')], [theirs('9')])).toEqual({
      ...{ ...FOUND, credited: SETTLES, net_credit: 9n, sources: [PAYER] },
    });
  });

  test('and to the operating wallet, what came to that alone counts', () => {
    expect(
      brought([balance(PAYER, '9')], [theirs('8'), balance(WALLET, '1')]),
    ).toMatchObject({ credited: WALLET, net_credit: 1n });
  });

  test('nothing counts that came to another account of it', () => {
    const beside = theirs('9', { accountIndex: BESIDE });
    expect(brought([balance(PAYER, '9')], [beside])).toMatchObject({
      ...{ credited: SETTLES, net_credit: 0n },
    });
    const moved = brought([theirs('9', { accountIndex: BESIDE })], [theirs('9')]);
    expect(moved).toMatchObject({ net_credit: 0n, sources: [] });
  });

  test('its associated account counts for what it has while it owns it', () => {
    const lost = brought([theirs('2'), balance(PAYER, '9')], [theirs('11', { owner: PAYER })]);
    expect(lost).toMatchObject({ net_credit: -2n });
    const given = brought([theirs('9', { owner: PAYER })], [theirs('9')]);
    expect(given).toMatchObject({ net_credit: 9n, sources: [PAYER] });
  });

  test('a settlement of ours has the operating wallet as its source', () => {
    const settled = brought([balance(WALLET, '9')], [theirs('9')]);
    expect(settled).toMatchObject({ credited: SETTLES, net_credit: 9n, sources: [WALLET] });
  });

  test('it is an exchange where that wallet has signed, or has less of any token or of SOL', () => {
    const is_exchange = true;
    const paid = [balance(PAYER, '9')];
    const header = { numRequiredSignatures: 3 };
    expect(brought(paid, [theirs('9')], { message: { header } })).toMatchObject({ is_exchange });
    for (const programId of [TOKEN_PROGRAM, TOKEN_2022]) {
      const gave = theirs('5', { accountIndex: BESIDE, mint: USDT, programId });
      expect(brought([...paid, gave], [theirs('9')])).toMatchObject({ is_exchange });
      expect(brought([...paid, gave], [theirs('9'), gave])).toMatchObject({ is_exchange: false });
    }
    const at = keys.indexOf(SETTLES);
    const preBalances = none.map((_, index) => (index === at ? 1 : 0));
    expect(brought(paid, [theirs('9')], { meta: { preBalances } })).toMatchObject({ is_exchange });
  });

  test('SOL counts as far as transfers brought it there', () => {
    const [before, after] = [
      [9, 0, 1],
      [4, 0, 6],
    ];
    const rest = [0, 0, 0, 0];
    const meta = { preBalances: [...before, ...rest], postBalances: [...after, ...rest] };
    const answer = told(meta, { instructions: [transfer(5n, [0, 2])] });
    expect(ofBoth(answer, null, wallets)).toEqual({
      ...{ ...FOUND, credited: SETTLES, net_credit: 5n, sources: [PAYER] },
    });
  });
});

test('a transaction that failed says so', () => {
  const meta = { err: { InstructionError: [0, { Custom: 1 }] } };
  expect(lamports(900, [transfer(900n)], meta)).toMatchObject({ found: true, failed: true });
  expect(lamports(900, [transfer(900n)], { err: undefined })).toMatchObject({ failed: true });
});

describe('what does not have the form of an answer was not found', () => {
  const good = told({}, { instructions: [transfer(1n)] });
  const { transaction, meta } = good as { transaction: { message: Fields }; meta: Fields };
  test.each<[string, unknown]>([
    ['null', null],
    ['a text', 'transaction'],
    ['no meta', { transaction, meta: null }],
    ['no transaction', { meta }],
    ['the encoding base64', { meta, transaction: ['AQ==', 'base64'] }],
    ['no message', { meta, transaction: {} }],
    ['parsed keys', told({}, { accountKeys: [{ pubkey: WALLET }] })],
    ['no keys', told({}, { accountKeys: null })],
    [
      'looked-up keys that are no texts',
      told({ loadedAddresses: { writable: [1], readonly: [] } }),
    ],
    ['fewer balances than keys', told({ postBalances: [0] })],
    ['no balances before', told({ preBalances: null })],
    ['a balance with a fraction', told({ postBalances: [0, 0.5, 0, 0, 0, 0, 0] })],
    ['a balance that JSON cannot carry', told({ postBalances: [0, 2 ** 53, 0, 0, 0, 0, 0] })],
    ['a token amount below 0', told({ preTokenBalances: [balance(PAYER, '-1')] })],
    [
      'a token amount as number',
      told({ preTokenBalances: [{ ...balance(PAYER, '1'), uiTokenAmount: { amount: 1 } }] }),
    ],
    [
      'a token balance of no account',
      told({ postTokenBalances: [balance(PAYER, '1', { accountIndex: 9 })] }),
    ],
    ['token balances that are no list', told({ postTokenBalances: {} })],
    [
      'an owner that is no text',
      told({ postTokenBalances: [{ ...balance(PAYER, '1'), owner: 1 }] }),
    ],
    ['no header', told({}, { header: null })],
    ['no count of signatures', told({}, { header: {} })],
    ['no signature at all', told({}, { header: { numRequiredSignatures: 0 } })],
    ['more signatures than keys', told({}, { header: { numRequiredSignatures: 8 } })],
    ['no instructions', told({}, { instructions: null })],
    ['parsed instructions', told({}, { instructions: [{ program: 'system', parsed: {} }] })],
    ['an account that is not there', told({}, { instructions: [transfer(1n, [0, 9])] })],
    [
      'a program that is not there',
      told({}, { instructions: [transfer(1n, [0, 1], { programIdIndex: 9 })] }),
    ],
    ['inner instructions of another form', told({ innerInstructions: [transfer(1n)] })],
  ])('%s', (_, answer) => {
    expect(ofOwn(answer, null)).toEqual(nothing);
    expect(ofOwn(answer, USDC)).toEqual(nothing);
  });

  test('and the same answer in its form was', () => {
    expect(ofOwn(good, null).found).toBe(true);
  });
});
