import {
  creditDecider,
  watchDecider,
  type CreditCommand,
  type CreditEvent,
  type CreditState,
  type WatchCommand,
  type WatchEvent,
  type WatchState,
} from '@tender/chain-indexer-domain';
import { commandHandler, streamName, type CommandOrigin, type Runtime } from '@tender/eventing';
import { invariant, type Mode } from '@tender/kernel';

export interface Cause {
  /** Derived from the credit or the watch: a block that is read again decides nothing again. */
  readonly command_id: string;
  readonly merchant_id: string | null;
  /** Null for money that no request led to. */
  readonly correlation_id: string | null;
}

/** The two streams of one network's money: a credit's, where it is allocated, and a watch's. */
export class ChainStreams {
  private readonly handleCredit;
  private readonly handleWatch;

  constructor(
    private readonly runtime: Runtime,
    private readonly mode: Mode,
  ) {
    const { eventStore: store, clock, random } = runtime;
    // Most credits and watches have one event: the first append needs no load, a conflict loads. A
    // report says nothing to a stream that it has not read.
    const begins = ({ type }: CreditCommand | WatchCommand) => type !== 'ReportCredit';
    this.handleCredit = commandHandler<CreditState, CreditCommand, CreditEvent, never>({
      store,
      clock,
      random,
      decider: creditDecider,
      begins,
    });
    this.handleWatch = commandHandler<WatchState, WatchCommand, WatchEvent, never>({
      store,
      clock,
      random,
      decider: watchDecider,
      begins,
    });
  }

  async credit(credit_id: string, command: CreditCommand, cause: Cause): Promise<CreditState> {
    const stream = streamName('credit', this.mode, credit_id);
    const handled = await this.handleCredit(stream, command, this.originOf(cause));
    invariant(handled.ok, 'the chain is never refused');
    return handled.state;
  }

  async watch(payment_id: string, command: WatchCommand, cause: Cause): Promise<WatchState> {
    const stream = streamName('watch', this.mode, payment_id);
    const handled = await this.handleWatch(stream, command, this.originOf(cause));
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
