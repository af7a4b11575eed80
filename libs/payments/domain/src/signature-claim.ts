import { accept, refuse, type Decider, type Decision } from '@tender/kernel';

/** A signature was handed in for a payment, and is of no other from then on. */
export interface SignatureClaimed {
  readonly type: 'SignatureClaimed';
  readonly data: { readonly transaction_signature: string; readonly payment_id: string };
}

export interface ClaimSignature {
  readonly type: 'ClaimSignature';
  readonly transaction_signature: string;
  readonly payment_id: string;
}

export type SignatureClaim =
  | { readonly status: 'unknown' }
  | { readonly status: 'claimed'; readonly payment_id: string };

const UNCLAIMED: SignatureClaim = { status: 'unknown' };

/** One signature, one payment, however many are handed it at once: its own stream decides. */
export const signatureClaimDecider = {
  initial: UNCLAIMED,
  evolve: (_: SignatureClaim, { data }: SignatureClaimed): SignatureClaim => ({
    status: 'claimed',
    payment_id: data.payment_id,
  }),
  decide: { ClaimSignature: claim },
} satisfies Decider<SignatureClaim, SignatureClaimed>;

function claim(
  { transaction_signature, payment_id }: ClaimSignature,
  state: SignatureClaim,
): Decision<SignatureClaimed, 'signature_already_used'> {
  if (state.status === 'unknown') {
    return accept({ type: 'SignatureClaimed', data: { transaction_signature, payment_id } });
  }
  return state.payment_id === payment_id ? accept() : refuse('signature_already_used');
}
