import {
  creditDecider,
  watchDecider,
  type CreditState,
  type WatchState,
} from '@tender/chain-indexer-domain';
import { aggregate, type CommandOrigin, type Runtime } from '@tender/eventing';
import { invariant, MODES, type CommandOf, type Mode } from '@tender/kernel';

// Most credits and watches have one event: the first append needs no load, a conflict loads. A report
// decides only on what it has loaded.
export const credit = aggregate({
  noun: 'credit',
  modes: MODES,
  decider: creditDecider,
  begins: ['SettleCredit'],
});
export const watch = aggregate({
  noun: 'watch',
  modes: MODES,
  decider: watchDecider,
  begins: ['TakeCredit', 'TakeReceipt', 'CloseWatch'],
});

export type CreditCommand = CommandOf<typeof creditDecider>;
export type WatchCommand = CommandOf<typeof watchDecider>;

export interface Cause {
  /** Derived from the credit or the watch: a block that is read again decides nothing again. */
  readonly command_id: string;
  readonly merchant_id: string | null;
  /** Null for money that no request led to. */
  readonly correlation_id: string | null;
}

/** The two streams of one network's money: a credit's, where it is allocated, and a watch's. */
export class ChainStreams {
  constructor(
    private readonly runtime: Runtime,
    private readonly mode: Mode,
  ) {}

  async credit(credit_id: string, command: CreditCommand, cause: Cause): Promise<CreditState> {
    const origin = this.originOf(cause);
    const handled = await credit.handle(this.runtime, this.mode, credit_id, command, origin);
    invariant(handled.ok, 'the chain is never refused');
    return handled.state;
  }

  async watch(payment_id: string, command: WatchCommand, cause: Cause): Promise<WatchState> {
    const origin = this.originOf(cause);
    const handled = await watch.handle(this.runtime, this.mode, payment_id, command, origin);
    invariant(handled.ok, 'the chain is never refused');
    return handled.state;
  }

  private originOf({ command_id, merchant_id, correlation_id }: Cause): CommandOrigin {
    return {
      command_id,
      body_hash: null,
      merchant_id,
      actor: 'system:chain-indexer.follow-chain',
      correlation_id: correlation_id ?? this.runtime.random.uuid(),
      causation_id: null,
    };
  }
}
