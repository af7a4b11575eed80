import { requestTransfer, type RequestedTransfer, type TransferFailure } from '@tender/contracts';
import { done, refuse, type Mode } from '@tender/kernel';
import type { ContextStage } from '@tender/runtime/testing';

export interface PlayedTreasury {
  /** In the order in which they were first asked for. */
  readonly transfers: (RequestedTransfer & { readonly mode: Mode })[];
  /** How often it was asked, repeats included. */
  asked: number;
  /** The merchant has its operating wallet. */
  is_ready: boolean;
  /** The newest transfer of a refund. Throws where none was asked for. */
  transferOf(refund_id: string): RequestedTransfer & { readonly mode: Mode };
  /** Once it was asked for the transfer of the refund, however long that takes. */
  isAsked(refund_id: string): Promise<void>;
  sign(refund_id: string, transaction_signature?: string): Promise<void>;
  complete(refund_id: string, transaction_signature?: string): Promise<void>;
  fail(refund_id: string, failure_reason?: TransferFailure): Promise<void>;
}

/** Treasury, as far as refunds know it: it notes each transfer once, and tells what the test says became of it. */
export function playTreasury(stage: ContextStage): PlayedTreasury {
  const tell = async (refund_id: string, type: string, data: object): Promise<void> => {
    const { mode, credit: _, ...transfer } = played.transferOf(refund_id);
    const told = { ...transfer, from: 'OperatingWallet' };
    await stage.say(`transfer.${mode}-${transfer.transfer_id}`, `treasury.${type}.v1`, {
      ...{ transfer: told, ...data },
    });
  };
  const played: PlayedTreasury = {
    transfers: [],
    asked: 0,
    is_ready: true,
    transferOf(refund_id) {
      const found = played.transfers.find(({ transfer_id }) => transfer_id.endsWith(refund_id));
      if (!found) throw new Error(`no transfer was asked for refund ${refund_id}`);
      return found;
    },
    async isAsked(refund_id) {
      const of_it = (transfer: RequestedTransfer) => transfer.transfer_id.endsWith(refund_id);
      while (!played.transfers.some(of_it)) await new Promise((look) => setTimeout(look, 50));
    },
    sign: (id, transaction_signature = `signature for ${id}`) =>
      tell(id, 'transfer-signed', { transaction_signature }),
    complete: (id, transaction_signature = `signature for ${id}`) =>
      tell(id, 'transfer-completed', { transaction_signature }),
    fail: (id, failure_reason = 'insufficient_balance') =>
      tell(id, 'transfer-failed', { failure_reason, transaction_signature: null }),
  };
  stage.runtime.calls.answer(requestTransfer, async (transfer, { mode }) => {
    if (!played.is_ready) return refuse('wallet_not_ready');
    played.asked += 1;
    const { transfer_id } = transfer;
    const is_new = !played.transfers.some((one) => one.transfer_id === transfer_id);
    if (is_new) played.transfers.push({ ...transfer, mode: mode as Mode });
    return done({ transfer_id });
  });
  return played;
}
