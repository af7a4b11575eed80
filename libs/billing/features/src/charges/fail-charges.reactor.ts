import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import {
  installmentChargeEnded,
  paymentExpired,
  paymentFailed,
  subscriptionChargeEnded,
} from '@tender/contracts';
import { aFewAtATime, type Runtime } from '@tender/eventing';
import { originOfEvent, Reacts, RUNTIME, type Heard } from '@tender/http';
import { isoTime, type Mode } from '@tender/kernel';
import { chargedInstallment } from '../installment-plans/charged-installment';
import { chargedSubscription } from '../subscriptions/charged-subscription';
import { CHARGED } from './all-charged';
import type { Charged, ChargedPart } from './charged';
import { chargesOfLinks } from './charges.projection';
import { linkOf, mayBeOfBilling } from './may-be-of-billing';

/** What a charge whose time is over waits for: its own end, and those of payments by its link. */
const CONSUMERS = { charges: 'billing.fail-charges', payments: 'billing.fail-unpaid' } as const;
const BY_NOUN = new Map(CHARGED.map((charged) => [charged.noun, charged]));

type Ended = Heard<typeof subscriptionChargeEnded | typeof installmentChargeEnded>;
type Unpaid = Heard<typeof paymentExpired | typeof paymentFailed>;

/**
 * A charge has failed once its time is over by the clock and payments says that nothing was paid in it. The clock alone
 * would fail what was paid in time in a block that was seen late. Whichever is heard last, asks payments.
 */
@Controller()
export class FailChargesReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(CONSUMERS.charges, [subscriptionChargeEnded, installmentChargeEnded])
  async reactToEnds(@Payload() batch: readonly Ended[]): Promise<void> {
    await aFewAtATime(batch, async (event) => {
      const { data } = event;
      const [charged, object_id, part] =
        'subscription_id' in data
          ? [chargedSubscription, data.subscription_id, 1]
          : [chargedInstallment, data.installment_plan_id, data.installment_number];
      await this.fail(event, CONSUMERS.charges, charged, { object_id, part });
    });
  }

  @Reacts(CONSUMERS.payments, [paymentExpired, paymentFailed])
  async reactToPayments(@Payload() batch: readonly Unpaid[]): Promise<void> {
    const by_mode = Map.groupBy(batch.filter(mayBeOfBilling), ({ mode }) => mode as Mode);
    for (const [mode, events] of by_mode) {
      const links = [...new Set(events.map(linkOf))] as string[];
      const charges = await chargesOfLinks(this.runtime, mode, links);
      await aFewAtATime(events, async (event) => {
        const charge = charges.get(linkOf(event) as string);
        if (!charge) return;
        await this.fail(event, CONSUMERS.payments, BY_NOUN.get(charge.noun), charge);
      });
    }
  }

  private async fail(
    event: Ended | Unpaid,
    consumer: string,
    charged: Charged | undefined,
    { object_id, part }: Pick<ChargedPart, 'object_id' | 'part'>,
  ): Promise<void> {
    const now = isoTime(this.runtime.clock.now());
    const ended = { mode: event.mode as Mode, object_id, part, now };
    await charged?.fail?.(this.runtime, ended, originOfEvent(event, consumer));
  }
}
