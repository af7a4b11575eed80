import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { paymentConfirmed, paymentExpired, paymentFailed } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { originOfEvent, Reacts, RUNTIME, type Heard } from '@tender/http';
import { invariant, type Mode } from '@tender/kernel';
import { PayByLink } from '../pay-payment-link/pay-by-link';
import { countLinkUses } from '../payment-links/link-uses.projection';
import { linkUse, paymentLink } from '../payment-links/payment-link.aggregate';

/** No client waits for this, and a table that is being rebuilt holds up no other event for long. */
const WAIT_MS_MAX = 5_000;
const CONSUMER = 'payments.follow-link-uses';

type Ended = Heard<typeof paymentConfirmed | typeof paymentExpired | typeof paymentFailed>;

/** A link hears what became of its payments: a hold becomes a use, or is free again (M10). */
@Controller()
export class FollowLinkUsesReactor {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(PayByLink) private readonly links: PayByLink,
  ) {}

  @Reacts(CONSUMER, [paymentConfirmed, paymentExpired, paymentFailed], { mixed: true })
  async react(@Payload() batch: readonly Ended[]): Promise<void> {
    const by_link = Map.groupBy(batch, ({ data }) => data.payment.payment_link_id ?? null);
    by_link.delete(null);
    await Promise.all([...by_link.values()].map((events) => this.followInOrder(events)));
  }

  private async followInOrder(events: readonly Ended[]): Promise<void> {
    for (const event of events) await this.follow(event);
  }

  private async follow(event: Ended): Promise<void> {
    const mode = event.mode as Mode;
    const { payment_link_id } = event.data.payment;
    const link = await paymentLink.load(this.runtime, mode, payment_link_id as string);
    invariant(link, 'the link of a payment is there before its payment');
    const { max_uses } = link.terms;
    if (max_uses !== null) return this.endHold(event, link.terms.payment_link_id);
    if (event.type !== paymentConfirmed.type) return;
    const { id: payment_id } = event.data.payment;
    const counted = await countLinkUses(
      this.runtime,
      mode,
      link.terms.payment_link_id,
      WAIT_MS_MAX,
    );
    // Its own payment is one of them, though the count may be behind.
    const uses_count = Math.max(1, counted);
    const use = { link: link.terms, payment_id, uses_count, used_at: event.occurred_at };
    const command = { type: 'RecordLinkUse', use } as const;
    await linkUse.handle(this.runtime, mode, payment_id, command, originOfEvent(event, CONSUMER));
  }

  private async endHold(event: Ended, payment_link_id: string): Promise<void> {
    const { id: payment_id } = event.data.payment;
    const at = event.occurred_at;
    const command =
      event.type === paymentConfirmed.type
        ? ({ type: 'TakeLinkUse', payment_id, used_at: at } as const)
        : ({ type: 'ReleaseLinkUse', payment_id, released_at: at } as const);
    const origin = originOfEvent(event, CONSUMER);
    const handled = await this.links.in_turn.run(payment_link_id, () =>
      paymentLink.handle(this.runtime, event.mode, payment_link_id, command, origin),
    );
    invariant(handled.ok, `the end of ${payment_id} is not refused by its link`);
  }
}
