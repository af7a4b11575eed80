import { DAY_MS, type CreateInstallmentPlan } from '@tender/billing-domain';
import {
  installmentPlanIds,
  newId,
  type CreateInstallmentPlanBody,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { minorUnits, timeWithinTenYears } from '@tender/http';
import { isoTime } from '@tender/kernel';
import { sealRecipient } from '../recipients/recipients';

const GRACE_PERIOD_DAYS = 7;

/** All that is fixed at creation. The id derives from the request (ADR 0003). Throws 400. */
export async function newInstallmentPlan(
  { keyRing, clock }: Pick<Runtime, 'keyRing' | 'clock'>,
  owner: Pick<RequestContext, 'merchant_id' | 'mode' | 'id_seed' | 'amount_max'>,
  body: CreateInstallmentPlanBody,
): Promise<CreateInstallmentPlan> {
  const { merchant_id, mode, id_seed } = owner;
  const { customer_email: email, late_fee_amount: late_fee } = body;
  const now_ms = clock.now();
  const first_date = body.first_payment_date ?? isoTime(now_ms + DAY_MS);
  return {
    type: 'CreateInstallmentPlan',
    amount_max: BigInt(owner.amount_max),
    customer: email == null ? null : await sealRecipient({ keyRing }, owner, { email, name: null }),
    terms: {
      plan_id: newId(installmentPlanIds, mode, Buffer.from(id_seed, 'hex')),
      merchant_id,
      mode,
      customer_wallet: body.customer_wallet,
      total_usd_cents: minorUnits(body.total_amount, 'total_amount').toString(),
      installment_count: body.installment_count,
      payment_frequency_days: body.payment_frequency_days,
      first_payment_date: timeWithinTenYears('first_payment_date', first_date, now_ms),
      description: body.description ?? null,
      late_fee_usd_cents:
        late_fee == null ? '0' : minorUnits(late_fee, 'late_fee_amount').toString(),
      grace_period_days: body.grace_period_days ?? GRACE_PERIOD_DAYS,
      metadata: body.metadata ?? {},
      locale: body.locale ?? 'en',
      created_at: isoTime(now_ms),
    },
  };
}
