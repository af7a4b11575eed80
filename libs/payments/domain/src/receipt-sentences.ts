import { TOKENS, type Sentences, type Token } from '@tender/kernel';
import { amountOf } from './payment-sentences';
import type { ReceiptEvent, ReceiptReasonName, ReceiptRecorded } from './receipt';

/** Why money pays nothing. */
const WHY: Readonly<Record<ReceiptReasonName, string>> = {
  late: 'It came after the payment had ended.',
  short: 'It is less than what is due, and what several transactions bring is never added up.',
  surplus: 'It is what was over the amount due.',
  duplicate: 'The payment had been paid before.',
  wrong_mint: 'It is not in the token that was asked for.',
  wrong_account: 'It did not reach the account that the payment asks for.',
  failed_on_chain: 'The transaction failed, and moved nothing.',
  no_reference: 'It names no payment.',
};

/** What each event of a receipt says to a person. */
export const receiptSentences: Sentences<ReceiptEvent> = {
  ReceiptRecorded: ({ data }) => ({
    what: `${moneyOf(data)} of a transaction at ${data.block_time} was recorded as a receipt.`,
    because: WHY[data.reason],
    transaction_signature: data.transaction_signature,
    ...(data.slot === undefined ? {} : { slot: data.slot }),
    verdict: data.reason,
  }),
  ReceiptResolved: ({ data: { receipt, resolution, resolution_note } }) => ({
    what: `The merchant has ${resolution} the receipt of ${moneyOf(receipt)}.`,
    because: resolution_note === null ? null : `Its note: ${resolution_note}`,
  }),
};

function moneyOf({ token, token_mint, amount }: ReceiptRecorded['data']): string {
  return isToken(token) ? amountOf({ token }, amount) : `${amount} base units of the mint ${token_mint}`;
}

const isToken = (token: string | null): token is Token => TOKENS.some((known) => known === token);
