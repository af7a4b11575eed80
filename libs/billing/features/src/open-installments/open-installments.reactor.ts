import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { installmentCharged } from '@tender/contracts';
import { aFewAtATime, type Runtime } from '@tender/eventing';
import { Reacts, RUNTIME, type Heard } from '@tender/http';
import { invariant, type Mode } from '@tender/kernel';
import { closeCharges } from '../charges/close-charges';
import { installmentPlan } from '../installment-plans/installment-plan.aggregate';
import { openInstallment } from './open-installment';

const CONSUMER = 'billing.open-installments';

type Charged = Heard<typeof installmentCharged>;

/** An installment that is due, or late, gets its link, once, however often this is heard. */
@Controller()
export class OpenInstallmentsReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(CONSUMER, [installmentCharged])
  async react(@Payload() batch: readonly Charged[]): Promise<void> {
    await aFewAtATime(batch, (event) => this.open(event));
  }

  /** A charge that was followed by another, or is paid or dropped, is left to what came after it. */
  private async open({ data, correlation_id, ...event }: Charged): Promise<void> {
    const { runtime } = this;
    const mode = event.mode as Mode;
    const { installment_plan_id, installment_number: part, charge_number } = data;
    const plan = await installmentPlan.load(runtime, mode, installment_plan_id);
    const installment = plan?.installments[part - 1];
    invariant(plan && installment, `${installment_plan_id} is there before its charges`);
    const is_over = plan.status !== 'active' || installment.paid_by !== null;
    if (is_over || installment.charge?.charge_number !== charge_number) return;
    const asker = { correlation_id, actor: `system:${CONSUMER}` };
    const open = await openInstallment(runtime, plan, installment, asker);
    const { merchant_id } = plan.terms;
    const of = { object_id: installment_plan_id, part };
    // Of before it was late: without the fee it is paid no more.
    const but = open.ok ? open.value.payment_link_id : null;
    const closing = { mode, merchant_id, correlation_id };
    if (charge_number > 1) await closeCharges(runtime, closing, of, but);
  }
}
