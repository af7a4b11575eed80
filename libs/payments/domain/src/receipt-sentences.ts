import { TOKENS, type Sentences, type Token } from '@tender/kernel';
import { amountOf } from './payment-sentences';
import type { ReceiptEvent, ReceiptReasonName, ReceiptRecorded, RefundFailureName } from './receipt';

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

/** Why money that should go back did not leave. */
const WHY_NOT: Readonly<Record<RefundFailureName, string>> = {
  insufficient_balance: 'The operating wallet holds less than that.',
  destination_invalid: 'The wallet that sent it cannot take it back.',
  signing_declined: 'The signers do not sign for it.',
  sanctions_hit: 'The wallet that sent it is on the sanctions list.',
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
  ReceiptRefundRequested: ({ data: { receipt, refund } }) => ({
    what: `The merchant sends ${moneyOf(receipt)} back to ${receipt.from_wallet}, attempt ${refund.attempt}.`,
    because: noteOf(refund.note),
  }),
  ReceiptRefundFailed: ({ data: { receipt, refund } }) => ({
    what: `${moneyOf(receipt)} did not leave the operating wallet.`,
    because: WHY_NOT[refund.failure_reason],
    ...(refund.transaction_signature === null
      ? {}
      : { transaction_signature: refund.transaction_signature }),
    verdict: refund.failure_reason,
  }),
  ReceiptResolved: ({ data: { receipt, resolution_note, refund } }) =>
    refund?.status === 'completed'
      ? {
          what: `${moneyOf(receipt)} went back to ${receipt.from_wallet}.`,
          because: noteOf(resolution_note),
          transaction_signature: refund.transaction_signature,
        }
      : {
          what: `The merchant has accepted the receipt of ${moneyOf(receipt)}.`,
          because: noteOf(resolution_note),
        },
};

const noteOf = (note: string | null): string | null => (note === null ? null : `Its note: ${note}`);

function moneyOf({ token, token_mint, amount }: ReceiptRecorded['data']): string {
  return isToken(token) ? amountOf({ token }, amount) : `${amount} base units of the mint ${token_mint}`;
}

const isToken = (token: string | null): token is Token => TOKENS.some((known) => known === token);
