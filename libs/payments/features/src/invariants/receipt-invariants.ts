import {
  checkedKind,
  eachFaultAsked,
  movedMoney,
  ofOneMode,
  ownEvents,
  ownInvariant,
  type CheckedObject,
  type CheckPorts,
  type InvariantCheck,
} from '@tender/eventing';
import type { Mode, Token } from '@tender/kernel';
import type { ReceiptEvent, ReceiptResolved } from '@tender/payments-domain';
import { receipt } from '../receipts/receipt.aggregate';

const receipts = checkedKind(receipt);

const RULE = {
  id: 'C12',
  says: 'A receipt is resolved once, and refunded by exactly one transfer: that of its last attempt.',
  of: receipts,
} as const;

const resolvedOnce: InvariantCheck = ownInvariant({
  ...RULE,
  fault({ history }) {
    let last: ReceiptEvent | null = null;
    for (const event of ownEvents<ReceiptEvent>(history)) {
      const fault = faultAfter(last, event);
      if (fault !== null) return fault;
      last = event;
    }
    return null;
  },
});

function faultAfter(last: ReceiptEvent | null, event: ReceiptEvent): string | null {
  if (last?.type === 'ReceiptResolved') return `${event.type} after ReceiptResolved`;
  const before = last === null || last.type === 'ReceiptRecorded' ? null : last.data.refund;
  const is_processing = before?.status === 'processing';
  const attempt = before?.attempt ?? 0;
  switch (event.type) {
    case 'ReceiptRecorded':
      return last === null ? null : `ReceiptRecorded after ${last.type}`;
    case 'ReceiptRefundRequested':
      if (is_processing) return `attempt ${event.data.refund.attempt} beside attempt ${attempt}`;
      return event.data.refund.attempt === attempt + 1 ? null : `no attempt ${attempt + 1}`;
    case 'ReceiptRefundFailed':
      return is_processing ? null : 'a refund has failed that was not under way';
    case 'ReceiptResolved': {
      const is_refunded = event.data.resolution === 'refunded';
      if (is_refunded === is_processing) return null;
      return is_refunded ? 'refunded without a transfer' : 'accepted while its money goes back';
    }
  }
}

/** What the chain does not show is not judged. */
const isBack: InvariantCheck = {
  ...RULE,
  find: ({ chains }, mode, objects) =>
    chains === null
      ? Promise.resolve([])
      : eachFaultAsked(objects, (object) => faultOfRefund(chains[mode as Mode], object)),
};

type AskedChain = NonNullable<CheckPorts['chains']>[Mode];

async function faultOfRefund(chain: AskedChain, object: CheckedObject): Promise<string | null> {
  const refunded = ownEvents<ReceiptEvent>(object.history).find(
    (event): event is ReceiptResolved =>
      event.type === 'ReceiptResolved' && event.data.resolution === 'refunded',
  );
  if (refunded === undefined) return null;
  const { receipt: of, refund } = refunded.data;
  if (refund?.status !== 'completed') return 'refunded without a transfer';
  const { transaction_signature } = refund;
  const landed = await chain.transaction(transaction_signature);
  if (landed === null) return null;
  const moved = landed.failed
    ? 0n
    : movedMoney(landed.changes, of.from_wallet as string, of.token as Token, chain.mints);
  return moved === BigInt(of.amount)
    ? null
    : `${transaction_signature} has brought back ${moved} of ${of.amount}`;
}

export const receiptInvariants: readonly InvariantCheck[] = [
  resolvedOnce,
  isBack,
  ofOneMode(receipts),
];
