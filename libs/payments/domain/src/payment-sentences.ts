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
  PaymentSettled: ({ data: { terms, confirmation } }) => ({
    what: `The money was settled: it is in the merchant’s wallet ${terms.wallet_address}.`,
    because: 'A payment straight to the merchant’s wallet is settled by the transaction that confirms it.',
    ...onChain(confirmation),
    verdict: 'settled',
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
