import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { installmentDefaulted, installmentPlanCancelled } from '@tender/contracts';
import { aFewAtATime, type Runtime } from '@tender/eventing';
import { Reacts, RUNTIME, type Heard } from '@tender/http';
import { invariant, type Mode } from '@tender/kernel';
import { closeCharges } from '../charges/close-charges';
import { installmentPlan } from '../installment-plans/installment-plan.aggregate';

const CONSUMER = 'billing.drop-installments';

type Ended = Heard<typeof installmentPlanCancelled | typeof installmentDefaulted>;

/** Nothing of a plan that is over can be begun to be paid. A payment that has begun goes on: its money counts. */
@Controller()
export class DropInstallmentsReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(CONSUMER, [installmentPlanCancelled, installmentDefaulted])
  async react(@Payload() batch: readonly Ended[]): Promise<void> {
    await aFewAtATime(batch, (event) => this.drop(event));
  }

  private async drop({ data, mode: of, correlation_id }: Ended): Promise<void> {
    const mode = of as Mode;
    const id =
      'installment_plan' in data
        ? data.installment_plan.installment_plan_id
        : data.installment_plan_id;
    const plan = await installmentPlan.load(this.runtime, mode, id);
    invariant(plan, `${id} is there before its end`);
    const closing = { mode, merchant_id: plan.terms.merchant_id, correlation_id };
    for (const { paid_by, charge, installment_number: part } of plan.installments) {
      if (paid_by !== null || charge === null) continue;
      await closeCharges(this.runtime, closing, { object_id: id, part });
    }
  }
}
