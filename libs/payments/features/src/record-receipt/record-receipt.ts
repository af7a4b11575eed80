import { newId, receiptIds } from '@tender/contracts';
import type { CommandOrigin, Runtime } from '@tender/eventing';
import { isoTime, type Mode } from '@tender/kernel';
import type { ReceiptRecorded } from '@tender/payments-domain';
import { receipt } from '../receipts/receipt.aggregate';

/** Money that pays nothing. `account` is where it arrived; null when only the payment is known. */
export type UnexpectedMoney = Omit<ReceiptRecorded['data'], 'receipt_id' | 'created_at'> & {
  readonly account: string | null;
};

/** Records a receipt once, however often it is reported: the id derives from the money itself. */
export async function recordReceipt(
  runtime: Runtime,
  { account, ...money }: UnexpectedMoney,
  origin: CommandOrigin,
): Promise<void> {
  const { mode, merchant_id } = money;
  const receipt_id = receiptIdOf(runtime, account, money);
  const recorded = { receipt_id, ...money, created_at: isoTime(runtime.clock.now()) };
  await receipt.handle(
    runtime,
    mode,
    receipt_id,
    { type: 'RecordReceipt', receipt: recorded },
    { ...origin, merchant_id },
  );
}

interface Identity {
  readonly mode: Mode;
  readonly merchant_id: string;
  readonly payment_id: string | null;
  readonly transaction_signature: string;
  readonly token_mint: string | null;
  readonly reason: string;
}

function receiptIdOf(
  { keyRing }: Pick<Runtime, 'keyRing'>,
  account: string | null,
  { mode, merchant_id, payment_id, transaction_signature, token_mint, reason }: Identity,
): string {
  const parts = [mode, transaction_signature, account, token_mint, merchant_id, payment_id, reason];
  return newId(receiptIds, mode, keyRing.idBytes(`receipt|${parts.join('|')}`));
}
