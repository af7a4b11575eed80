/** How much a sponsor pays for whom. */
export interface Quotas {
  readonly per_wallet_day: number;
  readonly per_address_hour: number;
  readonly per_merchant_day: number;
  readonly lamports_day: bigint;
}

/** What was paid for or promised in that time, wall time. */
export interface Usage {
  readonly wallet_day: number;
  readonly address_hour: number;
  readonly merchant_day: number;
  readonly lamports_day: bigint;
  /** Of these, for transactions that make an account. */
  readonly accounts_lamports_day: bigint;
  /** Accounts that were made for the merchant, ever. */
  readonly merchant_accounts: number;
  /** Transactions that failed, of the wallet or from the address. */
  readonly failed_hour: number;
}

/** What one more transaction may cost. */
export interface Cost {
  readonly lamports: bigint;
  readonly makes_account: boolean;
}

export type QuotaSpent =
  | 'wallet_quota'
  | 'address_quota'
  | 'merchant_quota'
  | 'merchant_accounts'
  | 'lamport_budget'
  | 'account_budget'
  | 'too_many_failures';

const FAILED_HOUR_MAX = 5;
/** A merchant has two wallets at most, its own and one that is held for it, each with an account for USDC and USDT. */
const MERCHANT_ACCOUNTS_MAX = 4;
/** An account costs as much as 200 fees, and its owner can cash it: new merchants never use up the fees of all. */
const ACCOUNTS_SHARE = 2n;

/** Whether so much more is within what is spent in a day, for all merchants and customers together. */
export const dayAllows = (
  quotas: Pick<Quotas, 'lamports_day'>,
  usage: Pick<Usage, 'lamports_day'>,
  { lamports }: Pick<Cost, 'lamports'>,
): boolean => usage.lamports_day + lamports <= quotas.lamports_day;

/** What stands in the way of one more transaction; null: nothing. */
export function quotaSpent(quotas: Quotas, usage: Usage, cost: Cost): QuotaSpent | null {
  if (usage.wallet_day >= quotas.per_wallet_day) return 'wallet_quota';
  if (usage.address_hour >= quotas.per_address_hour) return 'address_quota';
  if (usage.merchant_day >= quotas.per_merchant_day) return 'merchant_quota';
  if (usage.failed_hour >= FAILED_HOUR_MAX) return 'too_many_failures';
  if (!dayAllows(quotas, usage, cost)) return 'lamport_budget';
  return cost.makes_account ? accountQuotaSpent(quotas, usage, cost) : null;
}

function accountQuotaSpent(quotas: Quotas, usage: Usage, { lamports }: Cost): QuotaSpent | null {
  if (usage.merchant_accounts >= MERCHANT_ACCOUNTS_MAX) return 'merchant_accounts';
  const spent = usage.accounts_lamports_day + lamports;
  return spent * ACCOUNTS_SHARE > quotas.lamports_day ? 'account_budget' : null;
}

/** What ended lately. */
export interface RecentEnds {
  readonly ended: number;
  readonly failed: number;
  /** From how many addresses those came that failed. */
  readonly failing_addresses: number;
}

/** Below that, failures are no rate; and one customer alone does not stop the sponsor for the others. */
const FAILING_ADDRESSES_MIN = 5;

/** Whether so many transactions fail that the sponsor had better stop: of five addresses or more, at least a half. */
export const failsTooOften = ({ ended, failed, failing_addresses }: RecentEnds): boolean =>
  failing_addresses >= FAILING_ADDRESSES_MIN && failed * 2 >= ended;

/** What an account without data must keep: below it the chain lets no one pay. Lamports. */
export const LOWEST_BALANCE = 890_880n;

/** Whether the sponsor can pay so much beside what it has promised. */
export const canPay = (balance: bigint, promised: bigint, lamports: bigint): boolean =>
  balance - promised - lamports >= LOWEST_BALANCE;
