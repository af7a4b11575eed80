import {
  formatUnits,
  fromUnits,
  TOKEN_DECIMALS,
  whoAsked,
  type Sentence,
  type Sentences,
} from '@tender/kernel';
import type { PaymentEvent } from './payment';
import type { PaymentTerms } from './payment-terms';
import type { SettlementFailureReason } from './settlement';

const CENT_PLACES = 2;

/** What each event of a payment says to a person. */
export const paymentSentences: Sentences<PaymentEvent> = {
  PaymentCreated: ({ data: { terms } }, asker) => ({
    what: `A payment of ${fromUnits(BigInt(terms.amount_minor), CENT_PLACES)} ${terms.currency} was created: ${due(terms)} to ${terms.wallet_address} until ${terms.expires_at}.`,
    because: whoAsked(asker),
  }),
  CustomerInfoCollected: (_, asker) => ({
    what: 'The customer’s details were collected.',
    because: whoAsked(asker),
  }),
  TransactionBuilt: ({ data: { build } }, asker) => ({
    what: `A transaction was built for the wallet ${build.payer_wallet}.`,
    because: whoAsked(asker),
  }),
  TransactionSubmitted: ({ data: { submission } }, asker) => ({
    what: 'A signed transaction was handed in.',
    because: whoAsked(asker),
    transaction_signature: submission.transaction_signature,
    verdict: 'submitted',
  }),
  PaymentConfirmed: ({ data: { terms, confirmation } }) => ({
    what: `The payment was confirmed: ${amountOf(terms, confirmation.received)} arrived from ${confirmation.customer_wallet ?? 'a wallet that the transaction does not tell'} at ${confirmation.confirmed_at}.`,
    because: `One transaction that names ${terms.reference} brought at least the ${due(terms)} due, in time.`,
    ...onChain(confirmation),
    verdict: 'paid',
  }),
  PaymentSettled: ({ data: { terms, confirmation, transaction_signature } }) => ({
    what: `The money was settled: it is in the merchant’s wallet ${settledTo(terms)}.`,
    because:
      transaction_signature === undefined
        ? 'A payment straight to the merchant’s wallet is settled by the transaction that confirms it.'
        : 'The transfer out of the operating wallet is final on chain.',
    ...(transaction_signature === undefined ? onChain(confirmation) : { transaction_signature }),
    verdict: 'settled',
  }),
  SettlementRequested: ({ data: { terms, attempt } }, asker) => ({
    what: `The settlement of ${due(terms)} to the merchant’s wallet ${settledTo(terms)} was begun${attempt > 1 ? ` once more (attempt ${attempt})` : ''}.`,
    because: attempt > 1 ? whoAsked(asker) : 'The held payment was captured.',
  }),
  SettlementSent: ({ data: { transaction_signature } }) => ({
    what: 'The settlement was signed and is sent.',
    because: 'Its signers have agreed to it.',
    transaction_signature,
    verdict: 'submitted',
  }),
  SettlementFailed: ({ data: { reason, transaction_signature } }) => ({
    what: 'The settlement failed. The money is still in the operating wallet; the settlement can be retried.',
    because: SETTLEMENT_FAULTS[reason],
    ...(transaction_signature === null ? {} : { transaction_signature }),
    verdict: reason,
  }),
  HoldCanceled: ({ data: { terms, canceled_by } }) => ({
    what: `The hold was canceled: ${due(terms)} go back to the wallet that paid.`,
    because:
      canceled_by === 'merchant'
        ? 'The merchant canceled the payment intent.'
        : 'The payment intent was not captured in time.',
  }),
  PaymentExpired: ({ data: { terms, watermark } }) => ({
    what: 'The payment expired.',
    because: `Every block up to ${watermark} was read, which is past ${terms.expires_at}, and none held a transaction that pays it.`,
  }),
  PaymentFailed: ({ data: { transaction_signature, slot, reason } }) => ({
    what: 'The payment failed.',
    because: `The transaction that was built for it, signed by its wallet and handed in is final on chain and does not pay it${FAULTS[reason] ?? ''}.`,
    ...onChain({ transaction_signature, slot }),
    verdict: reason,
  }),
};

const settledTo = ({ hold, wallet_address }: PaymentTerms): string =>
  hold?.settlement_wallet ?? wallet_address;

const SETTLEMENT_FAULTS: Readonly<Record<SettlementFailureReason, string>> = {
  insufficient_balance: 'The operating wallet has too little money.',
  destination_invalid: 'The merchant’s wallet cannot receive the money.',
  signing_declined: 'The signers have refused to sign it.',
  sanctions_hit: 'The merchant’s wallet is sanctioned.',
};

/** How a transaction that is final can fail to pay. */
const FAULTS: Readonly<Record<string, string>> = {
  failed_on_chain: ': it failed, and moved nothing',
  without_effect: ': it went through, and did not bring what is due',
};

/** Base units as a person reads them. */
export const amountOf = ({ token }: Pick<PaymentTerms, 'token'>, units: string): string =>
  `${formatUnits(BigInt(units), TOKEN_DECIMALS[token])} ${token}`;

const due = (terms: PaymentTerms): string => amountOf(terms, terms.token_amount);

interface OnChain {
  readonly transaction_signature: string;
  readonly slot?: number | undefined;
}

const onChain = ({ transaction_signature, slot }: OnChain): Partial<Sentence> => ({
  transaction_signature,
  ...(slot === undefined ? {} : { slot }),
});
