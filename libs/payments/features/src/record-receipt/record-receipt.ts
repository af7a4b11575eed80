import { formerId, newId, receiptIds } from '@tender/contracts';
import {
  commandHandler,
  streamName,
  type CommandOrigin,
  type Runtime,
  type StreamName,
} from '@tender/eventing';
import { isoTime, type Mode } from '@tender/kernel';
import { receiptDecider, type ReceiptRecorded } from '@tender/payments-domain';

/** Money that pays nothing. `account` is where it arrived; null when only the payment is known. */
export type UnexpectedMoney = Omit<ReceiptRecorded['data'], 'receipt_id' | 'created_at'> & {
  readonly account: string | null;
};

/**
 * The stream of a receipt has the name that it had when receipts’ ids did not say their mode: money that was
 * recorded then and is told of again finds its stream, and is not shown twice.
 */
export const receiptStream = (mode: Mode, receipt_id: string): StreamName =>
  streamName('receipt', mode, formerId(receiptIds, receipt_id));

/** Records a receipt once, however often it is told of: the id derives from the money itself. */
export async function recordReceipt(
  { eventStore, clock, random, keyRing }: Runtime,
  { account, ...money }: UnexpectedMoney,
  origin: CommandOrigin,
): Promise<void> {
  const receipt_id = receiptIdOf({ keyRing }, account, money);
  const handle = commandHandler({
    store: eventStore,
    clock,
    random,
    decider: receiptDecider,
    begins: () => true,
  });
  await handle(
    receiptStream(money.mode, receipt_id),
    {
      type: 'RecordReceipt',
      receipt: { receipt_id, ...money, created_at: isoTime(clock.now()) },
    },
    { ...origin, merchant_id: money.merchant_id },
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
