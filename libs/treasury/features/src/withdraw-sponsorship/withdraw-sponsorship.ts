import type { withdrawSponsorship } from '@tender/contracts';
import type { Asked, Runtime } from '@tender/eventing';
import { done, refuse, type Mode } from '@tender/kernel';
import { askedOrigin } from '../asked-origin';
import { sponsorship } from '../sponsor/sponsorship.aggregate';

type Answer = ReturnType<NonNullable<(typeof withdrawSponsorship)['__types']>>;

/** From its answer on nothing of the payment is signed that was offered before. */
export async function withdraw(
  runtime: Pick<Runtime, 'eventStore' | 'clock' | 'random'>,
  payment_id: string,
  asked: Asked,
): Promise<Answer> {
  const mode = asked.mode as Mode;
  const state = await sponsorship.load(runtime, mode, payment_id);
  if (state === null) return done({ withdrawn: true });
  const handled = await sponsorship.handle(
    runtime,
    mode,
    payment_id,
    { type: 'WithdrawSponsorship', payment_id },
    askedOrigin(runtime, asked, state.offer.merchant_id),
  );
  return handled.ok ? done({ withdrawn: true }) : refuse('submission_in_flight');
}
