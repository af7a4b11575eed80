import { Rounds, Unavailable, type Runtime, type Worker } from '@tender/eventing';
import type { NetworkMemory } from '../network-memory/network-memory';
import { endSubmissions, type StoredSubmission } from '../watch-submissions/submission.record';

/** Wall time between two sends of the same bytes. */
const RESEND_MS = 2_000;
/** Statuses that a node tells at once. */
const STATUSES_MAX = 256;

type Sendable = StoredSubmission & { readonly signed_transaction: string };

/**
 * Sends what customers have signed until the chain shows it, it can land no more, or its payment expires: later money
 * would pay for nothing. The same bytes land once, so a second sender does no harm, and a death costs nothing: what is
 * to be sent is in the records.
 */
export class SendSubmissionsWorker implements Worker {
  readonly name: string;
  private readonly rounds = new Rounds(
    async () => {
      await this.sendAll();
      return RESEND_MS;
    },
    (error) => this.sendLater(error),
  );

  constructor(
    private readonly runtime: Runtime,
    private readonly memory: NetworkMemory,
  ) {
    this.name = `chain-indexer.send-submissions.${memory.mode}`;
  }

  async start(): Promise<void> {
    this.rounds.start();
  }

  stop(): Promise<void> {
    return this.rounds.stop();
  }

  /** One round: asks what has become of everything that is to be sent, and sends what the chain does not know. */
  async sendAll(): Promise<void> {
    const sendable = this.memory.book.submissions.toSend();
    for (let start = 0; start < sendable.length; start += STATUSES_MAX) {
      await this.send(sendable.slice(start, start + STATUSES_MAX));
    }
  }

  private sendLater(error: unknown): number {
    const reason = error instanceof Unavailable ? error.message : String(error);
    this.runtime.log.warn({ mode: this.memory.mode, reason }, 'transactions are sent later');
    return RESEND_MS;
  }

  private async send(some: readonly Sendable[]): Promise<void> {
    const { chains, readModels, clock } = this.runtime;
    const { mode, book } = this.memory;
    const chain = chains[mode];
    const signatures = some.map(({ signature }) => signature);
    const { finalized_block_height, statuses } = await chain.signatureStatuses(signatures);
    const unknown = some.filter((_, index) => statuses[index] === null);
    const isDead = ({ last_valid_block_height }: Sendable): boolean =>
      last_valid_block_height !== null && last_valid_block_height < finalized_block_height;
    const dropped = unknown.filter(isDead).map(({ signature }) => signature);
    await endSubmissions(readModels, mode, dropped);
    for (const signature of dropped) book.submissions.remove(signature);
    const now_ms = clock.now();
    const wanted = unknown.filter((one) => !isDead(one) && now_ms <= one.expires_at_ms);
    for (const submission of wanted) await this.sendOne(submission);
  }

  /** One that the node does not take holds up no other. */
  private async sendOne({ payment_id, signed_transaction }: Sendable): Promise<void> {
    const { chains, log } = this.runtime;
    try {
      await chains[this.memory.mode].send(Buffer.from(signed_transaction, 'base64'));
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      log.warn({ payment_id, reason: error.message }, 'a transaction is sent later');
    }
  }
}
