import { Inject, Injectable } from '@nestjs/common';
import type { Asked, Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import { done, refuse, type Outcome } from '@tender/kernel';
import { sponsorship } from '../sponsor/sponsorship.aggregate';

type Withdrawn = Outcome<{ readonly withdrawn: true }, 'submission_in_flight'>;

/** Takes an offer back that nothing was signed of, for a customer who pays the fee after all. */
@Injectable()
export class WithdrawSponsorship {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  async withdraw(input: { readonly payment_id: string }, asked: Asked): Promise<Withdrawn> {
    const { runtime } = this;
    const { payment_id } = input;
    const before = await sponsorship.load(runtime, asked.mode, payment_id);
    if (before === null) return done({ withdrawn: true });
    const handled = await sponsorship.handle(
      runtime,
      asked.mode,
      payment_id,
      { type: 'WithdrawOffer', payment_id },
      {
        command_id: asked.command_id ?? runtime.random.uuid(),
        body_hash: null,
        merchant_id: before.offer.merchant_id,
        actor: 'system:payments',
        correlation_id: asked.correlation_id,
        causation_id: null,
      },
    );
    return handled.ok ? done({ withdrawn: true }) : refuse('submission_in_flight');
  }
}
