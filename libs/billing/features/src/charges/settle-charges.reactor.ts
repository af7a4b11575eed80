import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { paymentConfirmed } from '@tender/contracts';
import { aFewAtATime, type Runtime } from '@tender/eventing';
import { originOfEvent, Reacts, RUNTIME, type Heard } from '@tender/http';
import { invariant, isoTime, type Mode } from '@tender/kernel';
import { CHARGED } from './all-charged';
import { chargesOfLinks, type ChargeRow } from './charges.projection';
import { closeCharges } from './close-charges';
import { linkOf, mayBeOfBilling } from './may-be-of-billing';

const CONSUMER = 'billing.settle-charges';
const BY_NOUN = new Map(CHARGED.map((charged) => [charged.noun, charged]));

type Confirmed = Heard<typeof paymentConfirmed>;

/** A payment of a link of billing is confirmed: what the link is for is paid. Other payments cost nothing. */
@Controller()
export class SettleChargesReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(CONSUMER, [paymentConfirmed])
  async react(@Payload() batch: readonly Confirmed[]): Promise<void> {
    const by_mode = Map.groupBy(batch.filter(mayBeOfBilling), ({ mode }) => mode as Mode);
    for (const [mode, events] of by_mode) await this.settleAll(mode, events);
  }

  private async settleAll(mode: Mode, events: readonly Confirmed[]): Promise<void> {
    const links = [...new Set(events.map(linkOf))] as string[];
    const charges = await chargesOfLinks(this.runtime, mode, links);
    const due = events.flatMap((event) => {
      const charge = charges.get(linkOf(event) as string);
      return charge ? { event, charge } : [];
    });
    const by_object = Map.groupBy(due, ({ charge }) => charge.object_id);
    await aFewAtATime([...by_object.values()], async (paid) => {
      for (const { event, charge } of paid) await this.settle(mode, event, charge);
    });
  }

  private async settle(mode: Mode, event: Confirmed, charge: ChargeRow): Promise<void> {
    const { id: payment_id, confirmed_at, merchant_id } = event.data.payment;
    invariant(confirmed_at, 'a confirmed payment says when it was');
    const now = isoTime(this.runtime.clock.now());
    const settlement = { ...charge, mode, paid_by: { payment_id, paid_at: confirmed_at }, now };
    const origin = originOfEvent(event, CONSUMER);
    await BY_NOUN.get(charge.noun)?.settle(this.runtime, settlement, origin);
    const closing = { mode, merchant_id, correlation_id: event.correlation_id };
    await closeCharges(this.runtime, closing, charge, charge.payment_link_id);
  }
}
