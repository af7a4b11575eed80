import {
  DAY_MS,
  later,
  type Installment,
  type KnownInstallmentPlan,
  type OpenedCharge,
} from '@tender/billing-domain';
import type { ClaimRefusal } from '@tender/contracts';
import type { CommandOrigin, Position, Runtime } from '@tender/eventing';
import { done, invariant, isoTime, refuse, type Outcome } from '@tender/kernel';
import { closeLink } from '../charges/close-link';
import { openCharge } from '../charges/open-charge';
import { chargedInstallment } from '../installment-plans/charged-installment';
import { installmentPlan } from '../installment-plans/installment-plan.aggregate';
import { usdOf } from '../installment-plans/render-installment-plan';

/** Of what is asked for long before it is due: payments takes no time that lies further ahead. */
const PAYABLE_MS_MAX = 3650 * DAY_MS;

type Needs = Pick<Runtime, 'calls' | 'log' | 'eventStore' | 'clock' | 'random'>;
type Asker = Pick<CommandOrigin, 'correlation_id' | 'actor'>;

/**
 * Opens the link that the charge of an installment is paid by, and tells the plan. Asked again, it is the same link.
 * Refuses what payments does, and a charge that is over by now: then its link is closed.
 */
export async function openInstallment(
  runtime: Needs,
  { terms }: KnownInstallmentPlan,
  { installment_number, charge }: Installment,
  asker: Asker,
): Promise<Outcome<OpenedCharge, ClaimRefusal | 'charge_over'>> {
  invariant(charge, `installment ${installment_number} of ${terms.plan_id} is charged`);
  const { plan_id, merchant_id, mode, description, installment_count } = terms;
  const { charge_number, amount_usd_cents, expires_at } = charge;
  const { correlation_id } = asker;
  const which = `${installment_number}/${installment_count}`;
  const ends = later(isoTime(runtime.clock.now()), PAYABLE_MS_MAX);
  const asked = await openCharge(runtime, {
    ...{ mode, correlation_id, object_id: plan_id },
    charge: `${installment_number}|${charge_number}`,
    claim: {
      ...{ merchant_id, amount: usdOf(amount_usd_cents) },
      description: description === null ? which : `${description} (${which})`,
      metadata: { [chargedInstallment.named_by]: plan_id, installment_number },
      payments_expire_at: expires_at < ends ? expires_at : ends,
    },
  });
  if (!asked.ok) return asked;
  const opened = asked.value;
  const command = { type: 'RecordInstallmentCharge', installment_number, charge_number, opened } as const;
  const command_id = `billing.record-charge|${plan_id}|${installment_number}|${charge_number}`;
  const origin = originOf(command_id, merchant_id, asker);
  const handled = await installmentPlan.handle(runtime, mode, plan_id, command, origin);
  if (handled.ok) return done(opened);
  invariant(handled.refusal === 'charge_over', `${plan_id} knows its charges`);
  await closeLink(runtime, { mode, merchant_id, correlation_id }, opened.payment_link_id);
  return refuse('charge_over');
}

/** The plan shows the payment of its installment: from where in the log. Null where that is paid or dropped by now. */
export async function tellPayment(
  runtime: Pick<Runtime, 'eventStore' | 'clock' | 'random'>,
  { terms: { plan_id, merchant_id, mode } }: KnownInstallmentPlan,
  installment_number: number,
  { payment_link_id }: OpenedCharge,
  payment_id: string,
  asker: Asker,
): Promise<Position | null> {
  const command = {
    ...{ type: 'RecordInstallmentPayment', installment_number, payment_link_id, payment_id } as const,
  };
  const origin = originOf(`billing.record-payment|${plan_id}|${payment_id}`, merchant_id, asker);
  const handled = await installmentPlan.handle(runtime, mode, plan_id, command, origin);
  const holds = handled.ok || handled.refusal === 'charge_over';
  invariant(holds, `${plan_id} knows its installments`);
  return handled.ok ? handled.position : null;
}

const originOf = (
  command_id: string,
  merchant_id: string,
  { correlation_id, actor }: Asker,
): CommandOrigin => ({
  ...{ command_id, body_hash: null, merchant_id, actor, correlation_id, causation_id: null },
});
