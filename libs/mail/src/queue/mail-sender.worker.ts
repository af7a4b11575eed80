import { setTimeout as sleep } from 'node:timers/promises';
import { isGone, Rounds, untilNextLook, type Runtime, type Worker } from '@tender/eventing';
import { attemptMail, type Describe } from './attempt-mail';
import {
  claimMails,
  contextOf,
  mailLeaseOwners,
  nextMailDue,
  recordAttempts,
  releaseMails,
  type EndedAttempt,
  type MailTable,
} from './queued-mail.record';

/** As many as there are connections to the server: no mail waits in here for one. */
const AT_ONCE_MAX = 3;
/** More than twice the longest life of an attempt. Wall time. */
const LEASE_MS = 150_000;
/** Between looks for what was queued meanwhile: all senders of a process look at the same time, with one question. */
const LOOK_MS = 1_000;
const REST_MS_MIN = 20;
const AFTER_FAILURE_MS = 500;
const STOP_PATIENCE_MS = 2_000;

type Needs = Pick<Runtime, 'readModels' | 'mail' | 'clock' | 'random' | 'log' | 'telemetry'>;

/**
 * Sends queued mails as they fall due, while this process leads. A process that dies between a mail and its record
 * leaves a lease: the next sender sends that mail once more, under the same Message-ID.
 */
export class MailSender implements Worker {
  readonly name: string;
  private readonly rounds = new Rounds(
    (signal) => this.send(signal),
    (error) => {
      this.runtime.log.warn({ err: error }, 'mails wait: the database cannot be reached');
      return AFTER_FAILURE_MS;
    },
  );
  /** What was attempted and is not written down yet. Nothing is attempted before it is. */
  private ended: readonly EndedAttempt[] = [];

  constructor(
    private readonly runtime: Needs,
    private readonly table: MailTable,
    private readonly describe: Describe,
    private readonly owner: string,
  ) {
    this.name = `${contextOf(table)}.send-mails`;
  }

  async start(): Promise<void> {
    const { readModels } = this.runtime;
    const owners = await mailLeaseOwners(readModels, this.table);
    await releaseMails(
      readModels,
      this.table,
      owners.filter((owner) => isGone(owner, [this.owner])),
    );
    this.rounds.start();
  }

  /** Gives back what a slow server has not taken soon: it may be sent twice. */
  async stop(): Promise<void> {
    const patience = sleep(STOP_PATIENCE_MS, undefined, { ref: false });
    await Promise.race([this.rounds.stop(), patience]);
    await releaseMails(this.runtime.readModels, this.table, [this.owner]);
  }

  /** There is a new mail: it is sent at once. */
  wake(): void {
    this.rounds.wake();
  }

  nextDue(): Promise<number | null> {
    const { readModels, clock } = this.runtime;
    return nextMailDue(readModels, this.table, clock.wall());
  }

  async idle(): Promise<void> {
    while (this.rounds.isRunning) {
      const due = await this.nextDue();
      const is_due = due !== null && due <= this.runtime.clock.now();
      if (this.rounds.isResting && !is_due && this.ended.length === 0) return;
      this.rounds.wake();
      await this.rounds.rested();
    }
  }

  private async send(stopping: AbortSignal): Promise<number> {
    const { runtime, owner } = this;
    const { readModels, clock } = runtime;
    await this.record();
    if (stopping.aborted) return 0;
    const rest_ms = await this.untilDue();
    if (rest_ms > 0) return rest_ms;
    const claimed = await claimMails(readModels, this.table, {
      ...{ owner, mails_max: AT_ONCE_MAX, now: clock.now() },
      ...{ wall: clock.wall(), lease_ms: LEASE_MS },
    });
    if (claimed.length === 0) return this.untilLook();
    this.ended = await Promise.all(
      claimed.map((one) => attemptMail(runtime, this.describe, one)),
    );
    await this.record();
    return 0;
  }

  private async record(): Promise<void> {
    if (this.ended.length === 0) return;
    await recordAttempts(this.runtime.readModels, this.table, this.owner, this.ended);
    this.ended = [];
  }

  private async untilDue(): Promise<number> {
    const due = await this.nextDue();
    if (due === null) return this.untilLook();
    const left_ms = due - this.runtime.clock.now();
    return left_ms <= 0 ? 0 : Math.min(this.untilLook(), Math.max(REST_MS_MIN, left_ms));
  }

  private untilLook(): number {
    return untilNextLook(LOOK_MS, this.runtime.clock.wall());
  }
}
