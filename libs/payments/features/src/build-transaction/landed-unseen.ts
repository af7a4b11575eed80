import type { Runtime } from '@tender/eventing';
import { refuse, type Refused } from '@tender/kernel';
import type { BuiltTransaction, PaymentTerms } from '@tender/payments-domain';
import type { SeenAtSlot } from './payable-payment';

/**
 * Before another transaction is built: whether the wallet has sent the last one by itself, without telling us, and the
 * indexer is still to read it. A stranger's transfer that names the payment takes nothing from that wallet; what was
 * too little pays nothing, and stands in the way of nothing. Nothing may be missing up to where the last one was proven
 * dead: a node that is behind that place is not believed. A wallet may have put a newer blockhash into what it was
 * given; what it has sent then is under way before it is final.
 */
export async function landedUnseen(
  { chains }: Pick<Runtime, 'chains'>,
  { mode, reference, token_mint, token_amount }: PaymentTerms,
  { payer_wallet }: BuiltTransaction,
  { finalized_slot }: SeenAtSlot,
): Promise<Refused<'submission_in_flight'> | null> {
  const due = BigInt(token_amount);
  const naming = await chains[mode].transactionsOf(reference, finalized_slot, 'confirmed');
  const landed = naming.find(({ changes }) =>
    changes.some(
      ({ owner, mint, delta }) => owner === payer_wallet && mint === token_mint && -delta >= due,
    ),
  );
  return landed ? refuse('submission_in_flight', { transaction_signature: landed.signature }) : null;
}
