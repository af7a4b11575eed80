import {
  offerSponsorship,
  sponsorTransaction,
  withdrawSponsorship,
  type SponsorshipOffer,
} from '@tender/contracts';
import { Unavailable } from '@tender/eventing';
import { done, refuse, TOKEN_DECIMALS } from '@tender/kernel';
import {
  base64,
  paymentMessage,
  readTransaction,
  transactionBytes,
  transactionSignature,
  type Transaction,
} from '@tender/transactions';
import type { CheckoutStage, Wallet } from './checkout-stage';

type Refusal = 'invalid_transaction' | 'gasless_unavailable' | 'submission_in_flight' | 'payment_expired';

/** As payments knows treasury: it offers messages, and signs and sends one that comes back. */
export class StandInTreasury {
  /** It offers nothing. */
  closed = false;
  /** It answers nothing. */
  out_of_reach = false;
  /** Why it signs nothing; null where it does. */
  refusal: Refusal | null = null;
  /** What it has signed may land. */
  has_signed = false;
  /** What it has offered and would sign, by payment. */
  private readonly offers = new Map<string, SponsorshipOffer>();
  /** Signatures that it was asked for, repeats included. */
  asked = 0;

  constructor(
    private readonly stage: CheckoutStage,
    readonly sponsor: Wallet,
  ) {
    const { calls } = stage.context.runtime;
    const { chain } = stage;
    calls.answer(offerSponsorship, async (transfer) => {
      const { customer_wallet, recipient, reference } = transfer;
      if (this.out_of_reach) throw new Unavailable('treasury');
      const before = this.offers.get(transfer.payment_id);
      if (before !== undefined && before.message === transfer.standing) return done(before);
      if (this.closed) return refuse('gasless_unavailable');
      const { blockhash, last_valid_block_height } = await chain.latestBlockhash();
      const { token } = transfer;
      const message = paymentMessage({
        ...{ customer: customer_wallet, fee_payer: sponsor.address, recipient, reference },
        amount: BigInt(transfer.amount),
        recent_blockhash: blockhash,
        compute: { unit_limit: 120_000, unit_price: 0n },
        token:
          token === 'SOL'
            ? null
            : {
                ...{ mint: transfer.token_mint as string, decimals: TOKEN_DECIMALS[token] },
                source: chain.tokenAccount(customer_wallet, token),
                destination: chain.tokenAccount(recipient, token),
                create_destination: true,
              },
      });
      const offer = {
        ...{ fee_payer: sponsor.address, message: base64(message) },
        ...{ recent_blockhash: blockhash, last_valid_block_height },
      };
      this.offers.set(transfer.payment_id, offer);
      return done(offer);
    });
    calls.answer(withdrawSponsorship, async ({ payment_id }) => {
      if (this.has_signed) return refuse('submission_in_flight');
      this.offers.delete(payment_id);
      return done({ withdrawn: true });
    });
    calls.answer(sponsorTransaction, async (input) => {
      const { payment_id, customer_wallet, signed_transaction } = input;
      this.asked += 1;
      const is_offered = this.offers.has(payment_id);
      if (!is_offered) return refuse('invalid_transaction', { reason: 'not_offered' });
      if (this.refusal !== null) return refuse(this.refusal, { reason: 'compute_limit_exceeded' });
      return done({ transaction_signature: await this.send(customer_wallet, signed_transaction) });
    });
  }

  private async send(customer: string, signed_transaction: string): Promise<string> {
    const { sponsor, stage } = this;
    const signed = readTransaction(Buffer.from(signed_transaction, 'base64')) as Transaction;
    const { message_bytes, message, signatures } = signed;
    const wire = transactionBytes(message_bytes, {
      [customer]: signatures[message.signers.indexOf(customer)] as Uint8Array,
      [sponsor.address]: sponsor.sign(message_bytes),
    });
    await stage.chain.send(wire);
    return transactionSignature(readTransaction(wire) as Transaction) as string;
  }
}
