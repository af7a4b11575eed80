import { creditsOf, noticesOf, TOKEN_PROGRAM, type SeenChange, type SeenTransaction, type Watch } from './index';

const MERCHANT = 'merchant';
const ATA = 'merchant-usdc';
const isMerchant = (wallet: string) => wallet === MERCHANT;

const change = (owner: string, delta: bigint, more: Partial<SeenChange> = {}): SeenChange => ({
  account: owner === MERCHANT ? ATA : `${owner}-usdc`,
  owner,
  mint: 'USDC',
  token_program: TOKEN_PROGRAM,
  delta,
  ...more,
});
const lamports = (owner: string, delta: bigint): SeenChange => ({
  account: owner,
  owner,
  mint: null,
  token_program: null,
  delta,
});
const transaction = (
  changes: SeenChange[],
  more: Partial<SeenTransaction> = {},
): SeenTransaction => ({
  signature: 'sig',
  slot: 7,
  block_time: 100,
  failed: false,
  fee_payer: 'customer',
  account_keys: ['customer', ATA, 'reference'],
  changes,
  sol_transfer_destinations: [],
  ...more,
});
const amounts = (seen: SeenTransaction) => creditsOf(seen, isMerchant).map(({ amount }) => amount);

const watch: Watch = {
  payment_id: 'pay_1',
  merchant_id: 'm1',
  reference: 'reference',
  wallet: MERCHANT,
  account: ATA,
  token: 'USDC',
  mint: 'USDC',
  due: 100n,
  expires_at_ms: 100_000,
  state: 'open',
};

describe('what a transaction brings a merchant', () => {
  it('is the net change of its account, and names who paid', () => {
    const [credit] = creditsOf(transaction([change('customer', -100n), change(MERCHANT, 100n)]), isMerchant);
    expect(credit).toMatchObject({ amount: 100n, account: ATA, from_wallet: 'customer', classic: true });
  });

  it('is nothing when it was taken back, moved between own accounts, or failed', () => {
    expect(amounts(transaction([]))).toEqual([]);
    const moved = [change(MERCHANT, 100n), change(MERCHANT, -100n, { account: 'second' })];
    expect(amounts(transaction(moved))).toEqual([]);
    expect(amounts(transaction([change(MERCHANT, 100n)], { failed: true }))).toEqual([]);
    expect(amounts(transaction([change(MERCHANT, -5n), change('other', 5n)]))).toEqual([]);
  });

  it('sums the accounts of one mint and keeps mints apart', () => {
    const seen = transaction([
      change(MERCHANT, 60n),
      change(MERCHANT, 40n, { account: 'second' }),
      change(MERCHANT, 7n, { account: 'x', mint: 'FAKE' }),
    ]);
    expect(creditsOf(seen, isMerchant)).toMatchObject([
      { mint: 'USDC', amount: 100n, account: ATA },
      { mint: 'FAKE', amount: 7n },
    ]);
  });

  it('is no credit of SOL without a System transfer: an account close gives rent back', () => {
    const seen = transaction([lamports(MERCHANT, 2_039_280n)]);
    expect(amounts(seen)).toEqual([]);
    expect(amounts({ ...seen, sol_transfer_destinations: [MERCHANT] })).toEqual([2_039_280n]);
  });

  it('is marked when another token program holds it', () => {
    const [credit] = creditsOf(transaction([change(MERCHANT, 1n, { token_program: 'Token-2022' })]), isMerchant);
    expect(credit?.classic).toBe(false);
  });
});

describe('a transaction that names a payment and brings its merchant nothing', () => {
  const notices = (seen: SeenTransaction, named: Watch = watch) =>
    noticesOf(seen, [named], creditsOf(seen, isMerchant)).map(({ reason }) => reason);

  it('says so when it failed', () => {
    expect(notices(transaction([], { failed: true }))).toEqual(['failed_on_chain']);
  });

  it('says so when another wallet got what is due', () => {
    expect(notices(transaction([change('customer', -100n), change('other', 100n)]))).toEqual(['wrong_account']);
  });

  it('says nothing when no wallet got anything, or the merchant got something', () => {
    expect(notices(transaction([]))).toEqual([]);
    expect(notices(transaction([change(MERCHANT, 1n), change('other', 99n)]))).toEqual([]);
    expect(notices(transaction([change('other', 5n, { mint: 'FAKE' })]))).toEqual([]);
  });

  it('says nothing of a payment that ended', () => {
    expect(notices(transaction([], { failed: true }), { ...watch, state: 'paid' })).toEqual([]);
  });

  it('takes SOL that reached another wallet by a System transfer', () => {
    const sol: Watch = { ...watch, token: 'SOL', mint: null, account: MERCHANT };
    const seen = transaction([lamports('customer', -10n), lamports('other', 10n)]);
    expect(notices(seen, sol)).toEqual([]);
    expect(notices({ ...seen, sol_transfer_destinations: ['other'] }, sol)).toEqual(['wrong_account']);
  });
});
