import { custodyModelOf, operationDigest } from '@tender/threshold';
import { guard, type Guard } from './guard';
import type { SigningRequest } from './judge';
import { usdCentsOf } from './usd-cents';

/** A share may land long after it was given: what is asked for must be recent, and stay so. */
const LIFETIME_MS_MAX = 180_000;

type RequestGuard = Guard<SigningRequest>;

/** What holds of an operation in its wallet at this moment. */
export const REQUEST_GUARDS: readonly RequestGuard[] = [
  guard('op_expired', 'exp has not passed', ({ op, now_ms }) => now_ms < op.exp),
  guard('op_expiry_too_far', 'exp is at most 180 seconds ahead', ({ op, now_ms }) => {
    return op.exp - now_ms <= LIFETIME_MS_MAX;
  }),
  guard(
    'wallet_unknown',
    'the roster is of the wallet',
    ({ op, roster }) => roster.wallet === op.wallet,
  ),
  guard('op_type_not_allowed', 'refunds and settlements leave a merchant’s money', ({ roster }) => {
    return roster.beneficiary === 'merchant';
  }),
  guard('op_type_not_allowed', 'nothing is signed for a wallet of the merchant alone', ({ roster }) => {
    return custodyModelOf(roster) !== 'self';
  }),
  guard('mode_mismatch', 'the wallet is of the mode', ({ op, roster }) => roster.mode === op.mode),
  guard('wallet_frozen', 'the wallet is not frozen', ({ frozen }) => !frozen),
  guard('session_used', 'no share was given in the session', ({ ledger }) => !ledger.session_burned),
  guard('op_changed', 'an id means the same operation at every attempt', ({ op, ledger }) => {
    return ledger.existing === null || ledger.existing.op_digest === operationDigest(op);
  }),
  guard('op_already_in_flight', 'no share is out that may still land', ({ ledger }) => {
    return ledger.existing?.state !== 'share_out';
  }),
  guard('op_already_settled', 'the operation has not happened', ({ ledger }) => {
    return ledger.existing?.state !== 'settled';
  }),
  guard('op_already_failed', 'the operation has not failed on the chain', ({ ledger }) => {
    return ledger.existing?.state !== 'failed_on_chain';
  }),
];

/** A refund goes back where its money came from, and never more than came. */
export const REFUND_GUARDS: readonly RequestGuard[] = [
  guard(
    'credit_not_found',
    'the signer’s own node shows the credit',
    ({ credit }) => credit?.found === true,
  ),
  guard('credit_failed', 'the credit has not failed', ({ credit }) => credit?.failed === false),
  guard(
    'credit_source_ambiguous',
    'the credit has one source',
    ({ credit }) => credit?.sources.length === 1,
  ),
  guard(
    'credit_source_mismatch',
    'the refund goes to the source of its credit',
    ({ credit, op }) => {
      return credit?.sources.includes(op.to) === true;
    },
  ),
  guard(
    'credit_not_payment',
    'no operating wallet has paid the credit: that was a refund or a settlement',
    ({ ledger }) => !ledger.is_to_operating_wallet,
  ),
  guard(
    'credit_not_payment',
    'the wallet that the credit came to has neither signed it nor given anything in it',
    ({ credit }) => credit?.is_exchange === false,
  ),
  guard(
    'credit_exceeded',
    'all refunds of a credit, whatever wallet pays them, are at most the credit',
    ({ credit, op, ledger }) => {
      return credit !== null && ledger.credit_used + BigInt(op.amount) <= credit.net_credit;
    },
  ),
];

export const SETTLEMENT_GUARDS: readonly RequestGuard[] = [
  guard(
    'destination_not_whitelisted',
    'a settlement goes to the wallet of the roster',
    ({ op, roster }) => {
      return op.to === roster.settlement_wallet;
    },
  ),
];

export const LIMIT_GUARDS: readonly RequestGuard[] = [
  guard(
    'day_limit_exceeded',
    'what leaves in 24 hours is within the limit',
    ({ op, ledger, rules }) => {
      return ledger.day_used_cents + usdCentsOf(op, rules) <= rules.day_limit_cents;
    },
  ),
];
