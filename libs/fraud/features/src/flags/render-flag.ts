import type { FlagAnswer } from '@tender/contracts';
import type { KeyRing } from '@tender/eventing';
import type { KnownFlag } from '@tender/fraud-domain';
import { fromUnits } from '@tender/kernel';

/** A flag as merchants and operators see it. */
export async function renderFlag(
  { openPersonal }: Pick<KeyRing, 'openPersonal'>,
  { terms, resolution }: KnownFlag,
): Promise<FlagAnswer> {
  const { ip } = terms;
  return {
    id: terms.flag_id,
    payment_id: terms.payment_id,
    merchant_id: terms.merchant_id,
    severity: terms.severity,
    score: terms.score,
    rule: terms.rule,
    reasons: [...terms.reasons],
    stage: terms.stage,
    action: terms.action,
    customer_wallet: terms.customer_wallet,
    ip_address: ip === null ? null : await openPersonal(ip.subject_id, ip.sealed),
    amount_usd: fromUnits(BigInt(terms.amount_usd_cents), 2),
    resolved: resolution !== null,
    resolution_type: resolution?.resolution_type ?? null,
    resolved_by: resolution?.resolved_by ?? null,
    resolved_at: resolution?.resolved_at ?? null,
    created_at: terms.created_at,
  };
}
