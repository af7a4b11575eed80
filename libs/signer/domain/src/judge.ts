import type { LedgerState, Operation, Roster, SignerCode } from '@tender/threshold';
import type { CreditEvidence } from './credit-evidence';
import { brokenGuard } from './guard';
import { LIMIT_GUARDS, REFUND_GUARDS, REQUEST_GUARDS, SETTLEMENT_GUARDS } from './judge-guards';
import type { Rules } from './rules';
import { usdCentsOf } from './usd-cents';

/** What the signer’s own ledger says around an operation. */
export interface LedgerView {
  /** Whether a share was given in this session. */
  readonly session_burned: boolean;
  /** Of this operation, by its id; null: it was never reserved. */
  readonly existing: { readonly state: LedgerState; readonly op_digest: string } | null;
  /** USD cents of this wallet that are reserved or spent in the last 24 hours, without this operation. */
  readonly day_used_cents: number;
  /** Base units of this credit that refunds have reserved or spent from any wallet, without this operation. */
  readonly credit_used: bigint;
  /** The operation pays another operating wallet that this signer holds a share of. */
  readonly is_to_operating_wallet: boolean;
}

/** All that a signer decides by, once it knows that an operation and its bytes are well-formed. */
export interface SigningRequest {
  readonly op: Operation;
  /** Of the wallet, from the signer’s own database. */
  readonly roster: Roster;
  readonly frozen: boolean;
  /** Of a refund: what the signer’s own node shows of the credit. */
  readonly credit: CreditEvidence | null;
  readonly ledger: LedgerView;
  readonly rules: Rules;
  /** By the signer’s own clock. */
  readonly now_ms: number;
}

/** `usd_cents` is what is to be reserved of the day’s limit, in one step with this judgement. */
export type Judgement =
  | { readonly ok: true; readonly usd_cents: number }
  | { readonly ok: false; readonly code: SignerCode; readonly reason: string };

/**
 * Whether an operation may happen at this moment: only where every guard holds. What no moment changes is looked at
 * before: its form (`operationFault`), and that the bytes do what it says (`faultOfMessage`).
 */
export function judge(request: SigningRequest): Judgement {
  const broken = brokenBy(request);
  return broken === null
    ? { ok: true, usd_cents: usdCentsOf(request.op, request.rules) }
    : { ok: false, code: broken.code, reason: `This rule is broken: ${broken.rule}.` };
}

function brokenBy(request: SigningRequest): { code: SignerCode; rule: string } | null {
  return (
    brokenGuard(REQUEST_GUARDS, request) ??
    brokenGuard(request.op.type === 'refund' ? REFUND_GUARDS : SETTLEMENT_GUARDS, request) ??
    brokenGuard(LIMIT_GUARDS, request)
  );
}
