import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { mailDue, type OpenedLinkSnapshot } from '@tender/contracts';
import { aFewAtATime, type Runtime } from '@tender/eventing';
import { Reacts, RUNTIME, type Heard } from '@tender/http';
import { invariant, type Mode } from '@tender/kernel';
import { payableLink } from '../charge-subscription/payable-link';
import { installmentPlan } from '../installment-plans/installment-plan.aggregate';
import { tellPayment } from '../open-installments/open-installment';
import { beginPayment } from './open-charge';

const CONSUMER = 'billing.begin-payments';

type Due = Heard<typeof mailDue>;

/**
 * What can be paid gets its payment before any customer asks, so that its merchant sees what is due. A consumer of its
 * own: a payment that cannot be begun now keeps no link waiting, and no other payment.
 */
@Controller()
export class BeginPaymentsReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(CONSUMER, [mailDue])
  async react(@Payload() batch: readonly Due[]): Promise<void> {
    const opened = batch.flatMap((event) =>
      event.data.opened ? [{ event, link: event.data.opened }] : [],
    );
    await aFewAtATime(opened, ({ event, link }) => this.begin(event, link));
  }

  private begin(event: Due, link: OpenedLinkSnapshot): Promise<void> {
    const { installment_number } = link;
    return installment_number === null
      ? this.beginPeriod(event, link)
      : this.beginInstallment(event, link, installment_number);
  }

  private async beginPeriod(
    { data, mode: of, correlation_id }: Due,
    { payment_link_id }: OpenedLinkSnapshot,
  ): Promise<void> {
    const mode = of as Mode;
    const payable = await payableLink(this.runtime, mode, data.object_id);
    if (payable?.payment_link_id !== payment_link_id) return;
    await beginPayment(this.runtime, { mode, correlation_id }, payable);
  }

  private async beginInstallment(
    { data, mode: of, correlation_id }: Due,
    { payment_link_id }: OpenedLinkSnapshot,
    installment_number: number,
  ): Promise<void> {
    const mode = of as Mode;
    const plan = await installmentPlan.load(this.runtime, mode, data.object_id);
    const installment = plan?.installments[installment_number - 1];
    invariant(plan && installment, `${data.object_id} is there before its links`);
    const { opened, paid_by } = installment;
    const is_over = plan.status !== 'active' || paid_by !== null;
    if (is_over || opened?.payment_link_id !== payment_link_id) return;
    const payment_id = await beginPayment(this.runtime, { mode, correlation_id }, opened);
    if (payment_id === null) return;
    const asker = { correlation_id, actor: `system:${CONSUMER}` };
    await tellPayment(this.runtime, plan, installment_number, opened, payment_id, asker);
  }
}
