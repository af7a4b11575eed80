import type { Instruction, Message } from './message';
import {
  COMPUTE_BUDGET_PROGRAM,
  SET_COMPUTE_UNIT_LIMIT,
  SET_COMPUTE_UNIT_PRICE,
  type ComputeBudget,
} from './programs';
import type { Bounds } from './template';

export type ComputeBudgetFault =
  | 'compute_budget_not_allowed'
  | 'duplicate_compute_budget'
  | 'compute_limit_exceeded'
  | 'priority_fee_exceeded';

const LIMIT_BYTES = 5;
const PRICE_BYTES = 9;
/** Prices are in micro-lamports. */
export const MICRO = 1_000_000n;
const SIGNATURE_LAMPORTS = 5_000n;

/** What these instructions of the compute budget do that the bounds forbid; null: nothing. */
export function faultOfComputeBudget(
  instructions: readonly Instruction[],
  bounds: Bounds,
): ComputeBudgetFault | null {
  let limit: number | null = null;
  let price: bigint | null = null;
  for (const { data, accounts } of instructions) {
    const bytes = Buffer.from(data);
    if (
      bytes[0] === SET_COMPUTE_UNIT_LIMIT &&
      bytes.length === LIMIT_BYTES &&
      accounts.length === 0
    ) {
      if (limit !== null) return 'duplicate_compute_budget';
      limit = bytes.readUInt32LE(1);
    } else if (
      bytes[0] === SET_COMPUTE_UNIT_PRICE &&
      bytes.length === PRICE_BYTES &&
      accounts.length === 0
    ) {
      if (price !== null) return 'duplicate_compute_budget';
      price = bytes.readBigUInt64LE(1);
    } else {
      return 'compute_budget_not_allowed';
    }
  }
  // Without a limit the chain takes its own, and the price would count for that.
  if (limit === null || limit > bounds.compute_units_max) return 'compute_limit_exceeded';
  const { priority_lamports_max } = bounds;
  const lamports = priorityLamports(limit, price ?? 0n);
  const exceeded = priority_lamports_max !== null && lamports > priority_lamports_max;
  return exceeded ? 'priority_fee_exceeded' : null;
}

/** What a message costs at most that has a compute budget within bounds: a fee for each signature, and its offer. */
export function transactionFee(message: Message): bigint {
  const { unit_limit, unit_price } = computeBudgetOf(message);
  const signatures = SIGNATURE_LAMPORTS * BigInt(message.signers.length);
  return signatures + priorityLamports(unit_limit, unit_price);
}

/** The compute budget of a message that has one within bounds. */
export function computeBudgetOf({ instructions }: Pick<Message, 'instructions'>): ComputeBudget {
  const data = instructions
    .filter(({ program }) => program === COMPUTE_BUDGET_PROGRAM)
    .map((instruction) => Buffer.from(instruction.data));
  return {
    unit_limit: data.find(([kind]) => kind === SET_COMPUTE_UNIT_LIMIT)?.readUInt32LE(1) ?? 0,
    unit_price: data.find(([kind]) => kind === SET_COMPUTE_UNIT_PRICE)?.readBigUInt64LE(1) ?? 0n,
  };
}

/** What a transaction pays beside its signatures: the price counts for the whole limit, used or not. */
export const priorityLamports = (unit_limit: number, unit_price: bigint): bigint =>
  (unit_price * BigInt(unit_limit) + MICRO - 1n) / MICRO;
