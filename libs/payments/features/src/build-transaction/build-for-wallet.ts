import type { RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, refusalAnswer } from '@tender/http';
import { invariant } from '@tender/kernel';
import {
  buildableFor,
  checkoutOf,
  type BuiltTransaction,
  type KnownPayment,
} from '@tender/payments-domain';
import type { FastifyReply } from 'fastify';
import { openEmail } from '../customers/customers';
import { payment } from '../payment-details/payment.aggregate';
import { screenPayment } from '../screen-payment/screen-payment';
import { buildDirect } from './build-direct';
import { buildGasless, withdrawGasless } from './build-gasless';
import { checkPayer, type Payer } from './check-payer';
import { landedUnseen } from './landed-unseen';
import { BUILD_REFUSALS, payablePayment, seenFor } from './payable-payment';

export interface BuildWish {
  readonly payment_id: string;
  readonly payer: Payer;
  readonly prefer_gasless: boolean;
}

/**
 * The transaction that pays from this wallet. The first build binds the payment to it; until that can land no more,
 * the same build is the answer to the same wallet, so that no wallet signs two that both land. Who had asked for a
 * gasless one may pay the fee instead, once treasury will not sign it any more; a request that dies in between leaves
 * an offer that was withdrawn, and the next one makes another.
 */
export async function buildForWallet(
  runtime: Runtime,
  caller: RequestContext,
  { payment_id, payer, prefer_gasless }: BuildWish,
  reply: FastifyReply,
): Promise<{ readonly terms: KnownPayment['terms']; readonly build: BuiltTransaction }> {
  const known = await payablePayment(runtime, caller, payment_id);
  const { terms } = known;
  checkPayer(runtime, terms, payer);
  const payer_wallet = payer.wallet;
  const seen = await seenFor(runtime, known);
  const buildable = buildableFor(payer_wallet, known, seen);
  if (!buildable.ok) throw refusalAnswer(buildable, BUILD_REFUSALS);
  await screenPayment(runtime, caller, {
    ...{ stage: 'build', asked_by: 'customer', payment: known, customer_wallet: payer_wallet },
    customer_email: await openEmail(runtime, known.customer),
  });
  const { current } = buildable;
  if (current !== null && !current.is_gasless) return { terms, build: current };
  const gasless = prefer_gasless
    ? await buildGasless(runtime, caller, terms, payer_wallet, current)
    : null;
  if (current !== null && gasless?.message === current.message) return { terms, build: current };

  const before = checkoutOf(known).build;
  const landed = before && (await landedUnseen(runtime, terms, before, seen));
  if (landed) throw refusalAnswer(landed, BUILD_REFUSALS);
  // Before the offer is withdrawn: what the chain cannot answer now leaves it as it is.
  const build = gasless ?? (await buildDirect(runtime, terms, payer_wallet));
  if (current !== null && gasless === null) await withdrawGasless(runtime, caller, terms);
  const { handled } = await payment.request(runtime, caller, () => ({
    id: payment_id,
    command: {
      ...{ type: 'BuildTransaction', build, seen },
      replaces: current?.message ?? null,
    } as const,
    merchant_id: terms.merchant_id,
  }));
  const { state } = accepted(handled, BUILD_REFUSALS, reply);
  const built = checkoutOf(state).build;
  invariant(built, 'there is a build once the command holds');
  return { terms, build: built };
}
