import { decodeTransaction, type RpcTransaction } from './decode-block';

const SYSTEM = '11111111111111111111111111111111';
/** Base58 of a System instruction's bytes: transfer of 1 lamport, transferWithSeed's head, createAccount's. */
const TRANSFER = '3Bxs412MvVNQj175';
const TRANSFER_WITH_SEED = '53Yvr7GiKYswrjKAnxo';
const CREATE_ACCOUNT = '111138QCEV3JxdU8LcBi8vBGbMWTneYyJSGaykXWHgSqovg91yHicMSrXuDUawyKPgFFd';

type Meta = Partial<RpcTransaction['meta']>;
const raw = (keys: string[], meta: Meta, instructions: object[] = []): RpcTransaction =>
  ({
    transaction: { signatures: ['sig'], message: { accountKeys: keys, instructions } },
    meta: { err: null, fee: 5_000, preBalances: [5_000], postBalances: [0], ...meta },
  }) as unknown as RpcTransaction;
const balance = (accountIndex: number, owner: string | undefined, amount: string, mint = 'USDC') => ({
  accountIndex,
  mint,
  owner,
  programId: 'token',
  uiTokenAmount: { amount },
});
const decoded = (transaction: RpcTransaction) => decodeTransaction(transaction, 3, 100);

it('nets token balances; an account missing on one side counts 0, its owner is the later one', () => {
  const { changes } = decoded(
    raw(['payer', 'new', 'closed', 'handed', 'same'], {
      preTokenBalances: [balance(2, 'b', '30'), balance(3, 'old owner', '5'), balance(4, 'd', '9')],
      postTokenBalances: [balance(1, 'a', '7'), balance(3, 'new owner', '6'), balance(4, 'd', '9')],
    }),
  );
  const seen = changes.map(({ account, owner, delta }) => [account, owner, delta]);
  expect(seen).toEqual([
    ['closed', 'b', -30n],
    ['handed', 'new owner', 1n],
    ['new', 'a', 7n],
  ]);
});

it('keeps amounts above 2^53 exact', () => {
  const { changes } = decoded(
    raw(['payer', 'a'], { preTokenBalances: [], postTokenBalances: [balance(1, 'a', '18446744073709551615')] }),
  );
  expect(changes[0]?.delta).toBe(18_446_744_073_709_551_615n);
});

it('33: gives the fee back to the account that paid it', () => {
  const { changes } = decoded(raw(['payer', 'b'], { preBalances: [10_000, 0], postBalances: [4_000, 1_000] }));
  expect(changes.map(({ owner, delta }) => [owner, delta])).toEqual([['payer', -1_000n], ['b', 1_000n]]);
  const paidFeeOnly = decoded(raw(['payer'], { preBalances: [10_000], postBalances: [5_000] }));
  expect(paidFeeOnly.changes).toEqual([]);
});

it('13: counts looked-up keys after the static ones, also for balances', () => {
  const { account_keys, changes } = decoded(
    raw(['payer'], {
      loadedAddresses: { writable: ['w'], readonly: ['reference'] },
      postTokenBalances: [balance(1, 'a', '7')],
    }),
  );
  expect(account_keys).toEqual(['payer', 'w', 'reference']);
  expect(changes[0]?.account).toBe('w');
});

it('takes destinations of System transfers from both levels, and of nothing else', () => {
  const keys = ['payer', 'base', 'merchant', 'seeded', 'created', SYSTEM, 'other program'];
  const call = (data: string, accounts: number[], programIdIndex = 5) => ({
    programIdIndex,
    accounts,
    data,
  });
  const innerInstructions = [{ instructions: [call(TRANSFER_WITH_SEED, [0, 1, 3])] }];
  const { sol_transfer_destinations } = decoded(
    raw(
      keys,
      { innerInstructions } as Meta,
      [
        call(TRANSFER, [0, 2]),
        call(CREATE_ACCOUNT, [0, 4]),
        call(TRANSFER, [0, 1], 6),
        call('', [0, 1]),
        call('not base58 0OIl', [0, 1]),
      ],
    ),
  );
  expect(sol_transfer_destinations).toEqual(['merchant', 'seeded']);
});

it('25: says that a transaction failed', () => {
  expect(decoded(raw(['payer'], { err: { InstructionError: [0, { Custom: 1 }] } })).failed).toBe(true);
});
