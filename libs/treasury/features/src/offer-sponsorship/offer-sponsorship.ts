import { Inject, Injectable } from '@nestjs/common';
import type { SponsoredTransfer, SponsorshipOffer } from '@tender/contracts';
import type { Asked, RecentBlockhash, Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import { done, refuse, TOKEN_DECIMALS, type Mode, type Outcome } from '@tender/kernel';
import {
  base64,
  computeBudgetOf,
  messageHash,
  paymentBudget,
  paymentMessage,
  readMessage,
  type ComputeBudget,
  type Message,
  type PaidToken,
} from '@tender/transactions';
import type { Cost, Offer } from '@tender/treasury-domain';
import { askedOrigin } from '../asked-origin';
import { bookedFor } from '../spending/spending.record';
import { gasless, SponsorDesk } from '../sponsor/desk';
import { sponsorship } from '../sponsor/sponsorship.aggregate';
import { highestCost } from '../sponsor-transaction/cost-of';

type Offered = Outcome<SponsorshipOffer, 'gasless_unavailable' | 'submission_in_flight'>;

/** Of the 150 blocks that a blockhash lives: an offer that is older is made anew. */
const SAME_OFFER_BLOCKS = 60;

/** Builds the one message of a gasless payment, and keeps it. */
@Injectable()
export class OfferSponsorship {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(SponsorDesk) private readonly desk: SponsorDesk,
  ) {}

  async offer(transfer: SponsoredTransfer, asked: Asked): Promise<Offered> {
    const mode = asked.mode as Mode;
    const { runtime, desk } = this;
    const before = await sponsorship.load(runtime, mode, transfer.payment_id);
    // First of all: no answer may let the payment be built in another way meanwhile.
    if (before?.status === 'in_flight' || before?.status === 'landed') {
      return refuse('submission_in_flight');
    }
    const offered = before?.status === 'offered' ? before.offer : null;
    // As long as it stands: who was given it may have it open in the wallet.
    if (offered !== null && offered.message === transfer.standing) return done(answerOf(offered));
    const key = await desk.keyOf(mode);
    if ('ok' in key) return key;
    // A sponsor sells nothing and buys nothing: it signs the fees of others alone.
    if (transfer.customer_wallet === key.address) return gasless('payer_is_sponsor');
    const built = await this.build(mode, transfer, key.address, offered);
    if (offered?.message_hash === built.message_hash) return done(answerOf(offered));
    const spender = {
      ...{ mode, ...built, address_hash: desk.addressHash(transfer.client_address) },
      made_account: built.creates_destination ? built.destination_account : null,
    };
    const booked = await bookedFor(runtime.readModels, spender, runtime.clock.wall());
    const fault = desk.faultOf(booked, await desk.balanceOf(mode, key), costOf(built));
    if (fault !== null) return gasless(fault);
    const handled = await sponsorship.handle(
      runtime,
      mode,
      transfer.payment_id,
      { type: 'OfferSponsorship', offer: built },
      askedOrigin(runtime, asked, transfer.merchant_id),
    );
    if (handled.ok) return done(answerOf(handled.state.offer));
    if (handled.refusal === 'offer_withdrawn') return gasless(handled.refusal);
    return refuse('submission_in_flight');
  }

  /** The message of the offer that stands, while that is young and nothing but prices has changed; else a new one. */
  private async build(
    mode: Mode,
    transfer: SponsoredTransfer,
    fee_payer: string,
    offered: Offer | null,
  ): Promise<Offer> {
    const chain = this.runtime.chains[mode];
    const [newest, token] = await Promise.all([
      chain.latestBlockhash(),
      this.tokenOf(mode, transfer),
    ]);
    if (offered !== null) {
      const again = offerOf(transfer, { fee_payer, token, ...groundsOf(offered) });
      const age = newest.last_valid_block_height - again.last_valid_block_height;
      if (age < SAME_OFFER_BLOCKS && again.message_hash === offered.message_hash) return again;
    }
    const { customer_wallet: customer, recipient } = transfer;
    const compute = await paymentBudget(chain, { customer, recipient, token });
    return offerOf(transfer, { fee_payer, token, blockhash: newest, compute });
  }

  private async tokenOf(mode: Mode, transfer: SponsoredTransfer): Promise<PaidToken | null> {
    const { token, token_mint, customer_wallet, recipient } = transfer;
    if (token === 'SOL' || token_mint === null) return null;
    const chain = this.runtime.chains[mode];
    const destination = chain.tokenAccount(recipient, token);
    const [account] = await chain.accounts([destination]);
    return {
      mint: token_mint,
      decimals: TOKEN_DECIMALS[token],
      source: chain.tokenAccount(customer_wallet, token),
      destination,
      create_destination: account === null,
    };
  }
}

interface BuiltOn {
  readonly fee_payer: string;
  readonly token: PaidToken | null;
  readonly blockhash: RecentBlockhash;
  readonly compute: ComputeBudget;
}

/** What an offer was built on that changes with the chain: another message of it would be as good. */
function groundsOf(offer: Offer): Pick<BuiltOn, 'blockhash' | 'compute'> {
  const { recent_blockhash: blockhash, last_valid_block_height, slot } = offer;
  return {
    blockhash: { blockhash, last_valid_block_height, slot },
    compute: computeBudgetOf(messageOf(offer)),
  };
}

function offerOf(
  transfer: SponsoredTransfer,
  { fee_payer, token, blockhash, compute }: BuiltOn,
): Offer {
  const { payment_id, merchant_id, customer_wallet, recipient, reference, expires_at } = transfer;
  const message = paymentMessage({
    ...{ customer: customer_wallet, fee_payer, recipient, token, reference },
    amount: BigInt(transfer.amount),
    recent_blockhash: blockhash.blockhash,
    compute,
  });
  return {
    ...{ payment_id, merchant_id, customer_wallet, fee_payer, expires_at },
    source_account: token?.source ?? customer_wallet,
    destination_account: token?.destination ?? recipient,
    creates_destination: token?.create_destination ?? false,
    message: base64(message),
    message_hash: messageHash(message),
    recent_blockhash: blockhash.blockhash,
    last_valid_block_height: blockhash.last_valid_block_height,
    slot: blockhash.slot,
  };
}

const messageOf = ({ message }: Offer): Message => readMessage(Buffer.from(message, 'base64'));

const costOf = (offer: Offer): Cost => ({
  lamports: highestCost(messageOf(offer), offer),
  makes_account: offer.creates_destination,
});

const answerOf = (offer: Offer): SponsorshipOffer => ({
  fee_payer: offer.fee_payer,
  message: offer.message,
  recent_blockhash: offer.recent_blockhash,
  last_valid_block_height: offer.last_valid_block_height,
});
