/**
 * The id of a transfer out of an operating wallet says what it is for: `set_…` or `rcpt_…`, with `:2`, `:3` … for
 * further attempts, after those before have failed for good; of a refund `pay_…:<refund id>`.
 */
export const transferIdOf = (id: string, attempt: number): string =>
  attempt === 1 ? id : `${id}:${attempt}`;

const ATTEMPT = /^([^:]+)(?::([1-9]\d*))?$/;

/** Null: the text is no id of a transfer that is attempted again. */
export function attemptOf(
  transfer_id: string,
): { readonly id: string; readonly attempt: number } | null {
  const [, id, attempt = '1'] = ATTEMPT.exec(transfer_id) ?? [];
  return id === undefined ? null : { id, attempt: Number(attempt) };
}

export const refundTransferId = (payment_id: string, refund_id: string): string =>
  `${payment_id}:${refund_id}`;

const REFUND = /^(pay_(?:test|live)_[0-9A-Za-z]{22}):([0-9a-f-]{36})$/;

/** Null: the transfer is for something else. */
export function refundOfTransfer(
  transfer_id: string,
): { readonly payment_id: string; readonly refund_id: string } | null {
  const [, payment_id, refund_id] = REFUND.exec(transfer_id) ?? [];
  return payment_id === undefined || refund_id === undefined ? null : { payment_id, refund_id };
}
