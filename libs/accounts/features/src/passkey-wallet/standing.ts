import {
  ceremonyFault,
  type BeginPasskeyWallet,
  type merchantDecider,
  type WalletCeremony,
} from '@tender/accounts-domain';
import type { RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { ApiError, refusalAnswer, retryAfter, type RefusalAnswers } from '@tender/http';
import { invariant, refuse, type Refused, type RefusalOf } from '@tender/kernel';
import { merchant } from '../merchant-details/merchant.aggregate';
import { setupOf } from './setup-of';
import { CEREMONY_REFUSALS } from './wallet-refusals';

/** The newest ceremony of the merchant that asks, from its stream. Throws 409 where that is another, and 410. */
export async function standing(
  runtime: Pick<Runtime, 'eventStore' | 'clock'>,
  caller: RequestContext,
  session: string,
): Promise<WalletCeremony> {
  const state = (await merchant.load(runtime, 'all', caller.merchant_id)) ?? { status: 'unknown' };
  const fault = ceremonyFault(state, { session, ...setupOf(caller, runtime) });
  if (fault !== null) throw refusalAnswer(refuse(fault), CEREMONY_REFUSALS);
  invariant(state.status === 'registered' && state.wallet_ceremony, 'a ceremony without a fault stands');
  return state.wallet_ceremony;
}

const TOO_MANY = [
  429,
  'rate_limit_exceeded',
  'A merchant may begin ten ceremonies an hour. Retry-After says when the next one can begin.',
] as const;

type NotBegun = RefusalOf<typeof merchantDecider, BeginPasskeyWallet>;

export const BEGIN_REFUSALS: RefusalAnswers<NotBegun> = {
  ...CEREMONY_REFUSALS,
  too_many_ceremonies: TOO_MANY,
};

/** Throws what stands against another ceremony; 429 with `Retry-After`. */
export function refuseBegin(
  decided: { readonly ok: true } | Refused<NotBegun | 'idempotency_key_reused'>,
  now_ms: number,
): void {
  if (decided.ok) return;
  const next = decided.details?.['next_at'];
  if (typeof next === 'string') throw new ApiError(...TOO_MANY, {}, retryAfter(next, now_ms));
  throw refusalAnswer(decided, BEGIN_REFUSALS);
}
