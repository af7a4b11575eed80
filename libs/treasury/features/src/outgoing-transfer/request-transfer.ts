import { Inject, Injectable } from '@nestjs/common';
import type { RequestedTransfer, TransferRefusal, TransferSummary } from '@tender/contracts';
import type { Asked, OfLeader, Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import { done, refuse, type Mode, type Outcome } from '@tender/kernel';
import type { KnownTransfer } from '@tender/treasury-domain';
import { askedOrigin } from '../asked-origin';
import { TREASURY, type Treasury } from '../treasury.token';
import { CUSTODY, type Custody } from './custody';
import { outgoingTransfer } from './outgoing-transfer.aggregate';

/** Records what is to leave a wallet, and tells what became of it. */
@Injectable()
export class Transfers {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(CUSTODY) private readonly custody: Custody,
    @Inject(TREASURY) private readonly leading: OfLeader<Treasury>,
  ) {}

  /** From its answer on it leaves once, or fails for good; asked again it is the same transfer. */
  async request(
    { to: asked_to, ...requested }: RequestedTransfer,
    asked: Asked,
  ): Promise<Outcome<{ readonly transfer_id: string }, TransferRefusal>> {
    const mode = asked.mode as Mode;
    const { transfer_id, merchant_id } = requested;
    const wallet = await this.custody.walletOf(mode, merchant_id);
    const to = asked_to ?? wallet?.settlement_wallet ?? null;
    if (wallet === null || to === null) return refuse('wallet_not_ready');
    const handled = await outgoingTransfer.handle(
      this.runtime,
      mode,
      transfer_id,
      { type: 'RequestTransfer', transfer: { ...requested, mode, from: wallet.address, to } },
      askedOrigin(this.runtime, asked, merchant_id),
    );
    if (!handled.ok) return refuse('transfer_differs');
    this.leading.current()?.sendTransfer(mode, transfer_id);
    return done({ transfer_id });
  }

  /** As the log has it now. */
  async describe(
    transfer_id: string,
    { mode }: Pick<Asked, 'mode'>,
  ): Promise<TransferSummary | null> {
    const state = await outgoingTransfer.load(this.runtime, mode as Mode, transfer_id);
    return state && summaryOf(state);
  }
}

function summaryOf(state: KnownTransfer): TransferSummary {
  const { transfer, status, signature, failure_reason } = state;
  const { credit: _, ...terms } = transfer;
  return { ...terms, status, transaction_signature: signature, failure_reason };
}
