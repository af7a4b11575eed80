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
  /** Transactions that failed, of the wallet or from the address. */
  readonly failed_hour: number;
}

export type QuotaSpent =
  'wallet_quota' | 'address_quota' | 'merchant_quota' | 'lamport_budget' | 'too_many_failures';

const FAILED_HOUR_MAX = 5;

/** What stands in the way of one more transaction that may cost so much; null: nothing. */
export function quotaSpent(quotas: Quotas, usage: Usage, lamports: bigint): QuotaSpent | null {
  if (usage.wallet_day >= quotas.per_wallet_day) return 'wallet_quota';
  if (usage.address_hour >= quotas.per_address_hour) return 'address_quota';
  if (usage.merchant_day >= quotas.per_merchant_day) return 'merchant_quota';
  if (usage.failed_hour >= FAILED_HOUR_MAX) return 'too_many_failures';
  if (usage.lamports_day + lamports > quotas.lamports_day) return 'lamport_budget';
  return null;
}

/** What ended lately. */
export interface RecentEnds {
  readonly ended: number;
  readonly failed: number;
  /** From how many addresses those came that failed. */
  readonly failing_addresses: number;
}

/** Below that, failures are no rate; and one customer alone stops the sponsor for nobody else. */
const FAILING_ADDRESSES_MIN = 5;

/** Whether so many transactions fail that the sponsor had better stop: of five addresses or more, at least a half. */
export const failsTooOften = ({ ended, failed, failing_addresses }: RecentEnds): boolean =>
  failing_addresses >= FAILING_ADDRESSES_MIN && failed * 2 >= ended;

/** What an account without data must keep: below it the chain lets no one pay. Lamports. */
const LOWEST_BALANCE = 890_880n;

/** Whether the sponsor can pay so much beside what it has promised. */
export const canPay = (balance: bigint, promised: bigint, lamports: bigint): boolean =>
  balance - promised - lamports >= LOWEST_BALANCE;
