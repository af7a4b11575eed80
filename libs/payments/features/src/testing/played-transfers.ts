import {
  operatingWallet,
  requestTransfer,
  transferCompleted,
  transferFailed,
  type OperatingWallet,
  type RequestedTransfer,
  type TransferFailure,
} from '@tender/contracts';
import { Unavailable } from '@tender/eventing';
import { done, refuse } from '@tender/kernel';
import type { ContextStage } from '@tender/runtime/testing';

/** Treasury, as payments knows it where money leaves an operating wallet: a test says what becomes of it. */
export class PlayedTransfers {
  /** Each once, in the order in which they were first asked for. */
  readonly requested: RequestedTransfer[] = [];
  /** It answers nothing. */
  out_of_reach = false;
  /** Transfers of merchants whose wallet is not there. */
  has_wallet = true;
  /** Questions for the wallet. */
  wallets_asked = 0;

  constructor(
    private readonly stage: Pick<ContextStage, 'runtime' | 'say' | 'settle'>,
    /** Of every merchant. */
    readonly operating_wallet: string | null,
  ) {
    const { calls } = stage.runtime;
    calls.answer(operatingWallet, async () => {
      if (this.out_of_reach) throw new Unavailable('treasury');
      this.wallets_asked += 1;
      const address = this.operating_wallet;
      return done(address === null ? null : ({ address } as OperatingWallet));
    });
    calls.answer(requestTransfer, async (asked) => {
      if (this.out_of_reach) throw new Unavailable('treasury');
      if (!this.has_wallet) return refuse('wallet_not_ready');
      const { transfer_id } = asked;
      const before = this.requested.find((one) => one.transfer_id === transfer_id);
      if (before === undefined) this.requested.push(asked);
      else if (JSON.stringify(before) !== JSON.stringify(asked)) return refuse('transfer_differs');
      return done({ transfer_id });
    });
  }

  /** It is final on the chain. */
  complete(transfer_id: string, transaction_signature: string): Promise<void> {
    return this.tell(transfer_id, transferCompleted.type, { transaction_signature });
  }

  /** Nothing has left. */
  fail(transfer_id: string, failure_reason: TransferFailure): Promise<void> {
    const end = { failure_reason, transaction_signature: null };
    return this.tell(transfer_id, transferFailed.type, end);
  }

  private async tell(transfer_id: string, type: string, end: object): Promise<void> {
    const asked = this.requested.find((one) => one.transfer_id === transfer_id);
    if (asked === undefined) throw new Error(`no one has asked for ${transfer_id}`);
    const { credit: _, ...transfer } = asked;
    const stream = `outgoingtransfer.test-${transfer_id}` as const;
    const from = this.operating_wallet;
    await this.stage.say(stream, type, { transfer: { ...transfer, from }, ...end });
    await this.stage.settle();
  }
}
