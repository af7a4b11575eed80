import { endedInstallmentCharge, type InstallmentPlanEvent } from '@tender/billing-domain';
import { ownEvent } from '@tender/eventing';
import { invariant } from '@tender/kernel';
import type { Charged } from '../charges/charged';
import { closeLink } from '../charges/close-link';
import { installmentPlan } from './installment-plan.aggregate';

/** An installment is paid by the link of any of its charges: before it is late, or with the fee. */
export const chargedInstallment: Charged = {
  noun: 'installment',
  named_by: 'installment_plan_id',
  partOf(event) {
    const { type, data } = ownEvent<InstallmentPlanEvent>(event);
    if (type !== 'InstallmentChargeOpened') return null;
    const { terms, opened, installment_number } = data;
    const { payment_link_id } = opened;
    return { payment_link_id, object_id: terms.plan_id, part: installment_number };
  },
  async settle(runtime, { mode, object_id, part, paid_by, now }, origin) {
    const command = { type: 'PayInstallment', installment_number: part, paid_by, now } as const;
    const handled = await installmentPlan.handle(runtime, mode, object_id, command, origin);
    const holds = handled.ok || handled.refusal === 'installment_already_paid';
    invariant(holds, `${object_id} takes the money of its installment ${part}`);
  },
  async fail(runtime, { mode, object_id, part: installment_number, now }, origin) {
    const known = await installmentPlan.load(runtime, mode, object_id);
    const ended = known && endedInstallmentCharge(known, installment_number);
    if (!ended) return;
    const { merchant_id } = known.terms;
    const { charge_number } = ended.charge;
    const closing = { ...origin, mode, merchant_id };
    if (await closeLink(runtime, closing, ended.opened.payment_link_id)) return;
    const command_id = `billing.fail-charge|${object_id}|${installment_number}|${charge_number}`;
    const command = { type: 'FailInstallmentCharge', installment_number, charge_number, now } as const;
    const failing = { ...origin, command_id, merchant_id };
    const handled = await installmentPlan.handle(runtime, mode, object_id, command, failing);
    invariant(handled.ok, `${object_id} has its installment ${installment_number}`);
  },
};
