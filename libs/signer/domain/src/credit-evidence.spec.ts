import {
  associatedTokenAccount,
  base58,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@tender/transactions';
import { creditOf, type CreditEvidence } from './credit-evidence';

const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const [WALLET, PAYER, OTHER, USDC, USDT] = [1, 2, 3, 4, 5].map((fill) =>
  base58(Buffer.alloc(32, fill)),
) as [string, string, string, string, string];
const nothing: CreditEvidence = { found: false, failed: false, net_credit: 0n, sources: [] };

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
type Fields = Readonly<Record<string, unknown>>;
const told = (meta: Fields, message: Fields = {}): Fields => ({
  transaction: { message: { accountKeys: keys, instructions: [], ...message }, signatures: [] },
  meta: {
    ...{ err: null, fee: 5_000, logMessages: ['Program log: Instruction: TransferChecked'] },
    ...{ preBalances: keys.map(() => 0), postBalances: keys.map(() => 0) },
    ...meta,
  },
});
const tokens = (pre: unknown, post: unknown, mint = USDC) =>
  creditOf(told({ preTokenBalances: pre, postTokenBalances: post }), WALLET, mint);

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
  return creditOf(told({ preBalances, postBalances, ...meta }, { instructions }), WALLET, null);
};

describe('a credit in tokens', () => {
  test('is what the wallet has more, from the one who has less', () => {
    const evidence = tokens(
      [balance(PAYER, '70'), balance(WALLET, '5')],
      [balance(PAYER, '60'), balance(WALLET, '15')],
    );
    expect(evidence).toEqual({ found: true, failed: false, net_credit: 10n, sources: [PAYER] });
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
      found: true,
      failed: false,
      net_credit: 900n,
      sources: [PAYER],
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
    expect(creditOf(answer, WALLET, null)).toMatchObject({ net_credit: 5n, sources: [OTHER] });
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
    ['no instructions', told({}, { instructions: null })],
    ['parsed instructions', told({}, { instructions: [{ program: 'system', parsed: {} }] })],
    ['an account that is not there', told({}, { instructions: [transfer(1n, [0, 9])] })],
    [
      'a program that is not there',
      told({}, { instructions: [transfer(1n, [0, 1], { programIdIndex: 9 })] }),
    ],
    ['inner instructions of another form', told({ innerInstructions: [transfer(1n)] })],
  ])('%s', (_, answer) => {
    expect(creditOf(answer, WALLET, null)).toEqual(nothing);
    expect(creditOf(answer, WALLET, USDC)).toEqual(nothing);
  });

  test('and the same answer in its form was', () => {
    expect(creditOf(good, WALLET, null).found).toBe(true);
  });
});
