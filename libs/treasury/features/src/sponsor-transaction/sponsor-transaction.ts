import { Inject, Injectable } from '@nestjs/common';
import type { sponsorTransaction } from '@tender/contracts';
import { InTurn, Unavailable, type Asked, type OfLeader, type Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import { done, refuse, timeOf, type Mode, type Refused } from '@tender/kernel';
import {
  base58,
  base64,
  guard,
  messageHash,
  SPONSORED_BOUNDS,
  transactionOfBase64,
  type Transaction,
} from '@tender/transactions';
import type { KnownSponsorship, SignedTransaction } from '@tender/treasury-domain';
import { endWhatHasEnded } from '../follow-sponsored/end-what-has-ended';
import { book, keepBooked, openSpendings, unbook, type Spending } from '../spending/spending.record';
import { gasless, SponsorDesk, type GaslessFault } from '../sponsor/desk';
import type { FeeKey } from '../fee-key';
import { sponsorship } from '../sponsor/sponsorship.aggregate';
import { TREASURY, type Treasury } from '../treasury.token';
import { highestCost, simulated } from './cost-of';
import { customerSignature, sponsoredBytes } from './sponsored-bytes';

type Input = Parameters<NonNullable<(typeof sponsorTransaction)['__types']>>[0];
type Answer = ReturnType<NonNullable<(typeof sponsorTransaction)['__types']>>;

/** One that is asked for, with what is known of its payment. */
interface Asking {
  readonly mode: Mode;
  readonly input: Input;
  readonly asked: Asked;
  /** What the customer has signed, and what it says. */
  readonly wire: Uint8Array;
  readonly transaction: Transaction;
  readonly state: KnownSponsorship;
}

const invalid = (
  reason: string,
  details: Readonly<Record<string, unknown>> = {},
): Refused<'invalid_transaction'> => refuse('invalid_transaction', { ...details, reason });
const IN_FLIGHT = refuse('submission_in_flight');

/** Pays the fee of what was offered: checks, books, simulates, signs, records, sends, in this order. */
@Injectable()
export class SponsorTransaction {
  private readonly payments = new InTurn();

  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(SponsorDesk) private readonly desk: SponsorDesk,
    @Inject(TREASURY) private readonly leading: OfLeader<Treasury>,
  ) {}

  /** The same payment in turn: twenty that come at once are one transaction and its repeats. */
  sponsor(input: Input, asked: Asked): Promise<Answer> {
    return this.payments.run(input.payment_id, () => this.inTurn(input, asked));
  }

  private async inTurn(input: Input, asked: Asked): Promise<Answer> {
    const mode = asked.mode as Mode;
    const transaction = transactionOfBase64(input.signed_transaction);
    if (transaction === null) return invalid('malformed_transaction');
    const state = await sponsorship.load(this.runtime, mode, input.payment_id);
    if (state === null) return invalid('not_offered');
    const known = repeatOf(state, transaction);
    if (known !== null) return done({ transaction_signature: known });
    if (state.status === 'in_flight' || state.status === 'landed') return IN_FLIGHT;
    if (state.status !== 'offered') return invalid('not_offered');
    const wire = Buffer.from(input.signed_transaction, 'base64');
    return this.checked({ mode, input, asked, wire, transaction, state });
  }

  private async checked(asking: Asking): Promise<Answer> {
    const { mode, input, wire, state } = asking;
    const { offer } = state;
    if (this.runtime.clock.now() >= timeOf(offer.expires_at)) return refuse('payment_expired');
    const key = await this.desk.keyOf(mode);
    if ('ok' in key) return key;
    // The key was changed since: what was offered names the old one.
    if (key.address !== offer.fee_payer) return invalid('fee_payer_mismatch');
    if (input.customer_wallet !== offer.customer_wallet) return invalid('unexpected_signers');
    const guarded = guard(wire, {
      message: Buffer.from(offer.message, 'base64'),
      customer: offer.customer_wallet,
      bounds: SPONSORED_BOUNDS,
    });
    if (!guarded.ok) return invalid(guarded.refusal);
    const spending = this.spendingOf(asking);
    const fault = await this.bookedFault(key, spending);
    if (fault === 'under_way') return IN_FLIGHT;
    if (fault !== null) return gasless(fault);
    return this.booked(asking, key, spending);
  }

  private spendingOf({ mode, input, transaction, state: { offer } }: Asking): Spending {
    return {
      ...offer,
      mode,
      message_hash: messageHash(transaction.message_bytes),
      address_hash: this.desk.addressHash(input.client_address),
      made_account: offer.creates_destination ? offer.destination_account : null,
      lamports: highestCost(transaction.message, offer),
    };
  }

  /** Null: it is booked, and so are its payment and its account. */
  private async bookedFault(key: FeeKey, spending: Spending) {
    const fault = await this.book(key, spending);
    if (fault !== 'under_way') return fault;
    // The customer may have been told of the end before the follower’s next look.
    const { mode } = spending;
    const others = await openSpendings(this.runtime.readModels, mode, spending);
    await endWhatHasEnded(this.runtime, mode, others);
    return this.book(key, spending);
  }

  /** Only now is it simulated: while it is booked no other one that the sponsor signs takes from the account. */
  private async booked(asking: Asking, key: FeeKey, spending: Spending): Promise<Answer> {
    const { mode, input, asked, wire, transaction, state } = asking;
    const chain = this.runtime.chains[mode];
    const cost = await simulated(chain, wire, transaction.message, state.offer).catch(
      async (error: unknown) => {
        await this.release(spending);
        throw error;
      },
    );
    if (cost.ok) return this.signed(asking, key, spending);
    const { is_signed } = await this.release(spending);
    // Another process has signed the very same meanwhile: to this one it may look as if it had failed.
    return is_signed ? this.inTurn(input, asked) : invalid(cost.refusal, cost.details);
  }

  /** Frees what is booked for it, unless another process has signed it: that is followed to its end. */
  private async release(spending: Spending): Promise<{ readonly is_signed: boolean }> {
    const { readModels, clock } = this.runtime;
    if (await this.isSigned(spending)) return { is_signed: true };
    await unbook(readModels, spending);
    const is_signed = await this.isSigned(spending);
    if (is_signed) await keepBooked(readModels, spending, clock.wall());
    return { is_signed };
  }

  private async isSigned({ mode, payment_id, message_hash }: Spending): Promise<boolean> {
    const state = await sponsorship.load(this.runtime, mode, payment_id);
    return state?.signed?.message_hash === message_hash;
  }

  /** Null: it is booked. */
  private async book(key: FeeKey, spending: Spending): Promise<GaslessFault | 'under_way' | null> {
    const { readModels, clock } = this.runtime;
    const { mode, lamports, made_account } = spending;
    const balance = await this.desk.balanceOf(mode, key);
    const cost = { lamports, makes_account: made_account !== null };
    return book<GaslessFault | 'under_way'>(readModels, spending, clock.wall(), (booked) =>
      booked.under_way ? 'under_way' : this.desk.faultOf(booked, balance, cost),
    );
  }

  /** From the moment of the record on it may land; what cannot be recorded is not sent. */
  private async signed(asking: Asking, key: FeeKey, spending: Spending): Promise<Answer> {
    const { mode, asked, transaction, state } = asking;
    const { offer } = state;
    const { readModels, chains, clock, log } = this.runtime;
    const signed: SignedTransaction = {
      message: base64(transaction.message_bytes),
      message_hash: spending.message_hash,
      customer_signature: customerSignature(transaction, offer.customer_wallet),
      transaction_signature: base58(await key.sign(transaction.message_bytes)),
    };
    const { transaction_signature } = signed;
    const handled = await sponsorship.handle(
      this.runtime,
      mode,
      offer.payment_id,
      { type: 'SignSponsored', message_hash: offer.message_hash, signed },
      {
        command_id: `sign:${transaction_signature}`,
        body_hash: null,
        merchant_id: offer.merchant_id,
        actor: 'system:payments',
        correlation_id: asked.correlation_id,
        causation_id: asked.command_id,
      },
    );
    if (!handled.ok) {
      await this.release(spending);
      return handled.refusal === 'submission_in_flight' ? IN_FLIGHT : invalid('not_offered');
    }
    // What was given up as never signed, while this process stood still, is followed after all.
    await keepBooked(readModels, spending, clock.wall());
    await chains[mode].send(sponsoredBytes(offer, signed)).catch((error: unknown) => {
      if (!(error instanceof Unavailable)) throw error;
      log.warn({ payment_id: offer.payment_id }, 'a sponsored transaction is sent again later');
    });
    this.leading.current()?.followSponsored(mode);
    return done({ transaction_signature });
  }
}

/** The signature of the same bytes, where they were signed before. */
function repeatOf({ signed, offer }: KnownSponsorship, transaction: Transaction): string | null {
  if (signed === null || signed.message !== base64(transaction.message_bytes)) return null;
  const customers = customerSignature(transaction, offer.customer_wallet);
  return customers === signed.customer_signature ? signed.transaction_signature : null;
}
