import { hasEnded, openAttempt, type KnownTransfer } from '@tender/treasury-domain';
import { ChainLooks, RESEND_MS } from '../follow/chain-looks.worker';
import { Spaced } from '../follow/spaced';
import { outgoingTransfer, transfersWith } from '../outgoing-transfer/outgoing-transfer.aggregate';
import { followTransfers, partsOf } from './follow-transfers';
import { signNext, type SignedOrNot } from './sign-next';
import type { TransferDesk } from './transfer-desk';

/** Between two tries to sign the same transfer. */
const TRY_AGAIN_MS = 1_000;
/** Signed at a time. */
const AT_ONCE = 8;

/** Brings every requested transfer to its end: signs it, sends the same bytes again, and looks what became of them. */
export class SendTransfersWorker extends ChainLooks {
  private readonly sends: Spaced;
  private readonly tries: Spaced;
  /** Requested here a moment ago: their rows may not be there yet. */
  private readonly told = new Set<string>();

  constructor(private readonly desk: TransferDesk) {
    super(desk.runtime, desk.mode, 'send-transfers');
    this.sends = new Spaced(desk.runtime.clock, RESEND_MS);
    this.tries = new Spaced(desk.runtime.clock, TRY_AGAIN_MS);
  }

  /** It was requested. */
  tell(transfer_id: string): void {
    this.told.add(transfer_id);
    this.wake();
  }

  protected async look(): Promise<boolean> {
    const states = await this.openTransfers();
    this.tries.keepOnly(new Set(states.map(({ transfer }) => transfer.transfer_id)));
    this.sends.keepOnly(new Set(states.map(({ signature }) => signature ?? '')));
    const signed = states.filter(({ attempts }) => attempts.length > 0);
    // What was never signed needs no proof of what became of it.
    await this.sign(states.filter(({ attempts }) => attempts.length === 0));
    for (const state of signed) await this.sendAgain(state);
    for (const part of partsOf(signed)) {
      const judged = await followTransfers(this.desk, part);
      const clear = judged.filter(({ verdict }) => verdict.kind === 'clear');
      await this.sign(clear.map(({ state }) => state));
    }
    return states.length > 0;
  }

  private async openTransfers(): Promise<readonly KnownTransfer[]> {
    const { runtime, mode } = this;
    const ids = new Set([...(await transfersWith(runtime.readModels, mode, 'is_open')), ...this.told]);
    const states: KnownTransfer[] = [];
    for (const id of ids) {
      const state = await outgoingTransfer.load(runtime, mode, id);
      if (state !== null && !hasEnded(state)) states.push(state);
      else this.told.delete(id);
    }
    return states;
  }

  /** Always the same bytes, until they are final or dead. */
  private async sendAgain(state: KnownTransfer): Promise<void> {
    const open = openAttempt(state);
    if (open === null || !this.sends.isTime(open.signature)) return;
    await this.runtime.chains[this.mode].send(Buffer.from(open.transaction, 'base64'));
  }

  private async sign(free: readonly KnownTransfer[]): Promise<void> {
    const due = free.filter(({ transfer }) => this.tries.isTime(transfer.transfer_id));
    for (let from = 0; from < due.length; from += AT_ONCE) {
      const some = due.slice(from, from + AT_ONCE);
      const outcomes = await Promise.all(some.map((state) => this.signOne(state)));
      if (outcomes.includes('signers_away')) return;
    }
  }

  /** What stands in the way of one transfer does not hold up the others. */
  private async signOne(state: KnownTransfer): Promise<SignedOrNot> {
    try {
      return await signNext(this.desk, state);
    } catch (error) {
      const { transfer_id } = state.transfer;
      this.runtime.log.warn({ err: error, transfer_id, mode: this.mode }, 'a transfer waits');
      return 'waits';
    }
  }
}
