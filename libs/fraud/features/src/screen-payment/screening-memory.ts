import type { Runtime } from '@tender/eventing';
import type { ListKind, Rule } from '@tender/fraud-domain';
import { blockEntry } from '../block-list/block-entry.aggregate';
import { LiveCopy } from '../live-copy/live-copy';
import { rule } from '../rules/rule.aggregate';
import { SanctionedWallets } from '../sanctions/sanctioned-wallets';
import { blockLists, rulesInForce } from './block-lists';
import { MerchantNorms } from './merchant-norms';
import { subjectsOfOthers, subjectsSince, type SubjectRow } from './screening.record';
import { Velocities, WINDOW_MS_MAX } from './velocities';

/** What other replicas have screened is read this often while there is something to screen. */
const OTHERS_EVERY_MS = 250;
/** Older than this it is read before the answer. */
const OTHERS_AWAITED_MS = 1000;

/**
 * All that a screening looks at, in the memory of this replica. Rules, lists and sanctions follow the log; whom
 * payments name is read from the table when the replica begins, and then what other replicas write there.
 */
export class ScreeningMemory {
  readonly velocities = new Velocities();
  readonly norms: MerchantNorms;
  readonly sanctions: SanctionedWallets;
  readonly rules_copy: LiveCopy<typeof import('@tender/fraud-domain').ruleDecider>;
  readonly entries_copy: LiveCopy<typeof import('@tender/fraud-domain').entryDecider>;
  rules: readonly Rule[] = rulesInForce(new Map());
  lists: Readonly<Record<ListKind, ReadonlySet<string>>> = blockLists(new Map());
  private begun: Promise<void> | null = null;
  private others: Promise<void> | null = null;
  private others_at_ms = Number.NEGATIVE_INFINITY;
  private mark = NOTHING_BEFORE;

  constructor(
    private readonly runtime: Pick<
      Runtime,
      'eventStore' | 'readModels' | 'clock' | 'chains' | 'log'
    >,
    /** Names this replica among those that write screenings. */
    private readonly writer: string,
  ) {
    const { readModels, clock } = runtime;
    this.norms = new MerchantNorms(readModels, () => clock.wall());
    this.sanctions = new SanctionedWallets(runtime);
    this.rules_copy = new LiveCopy(runtime, rule, (states) => {
      this.rules = rulesInForce(states);
    });
    this.entries_copy = new LiveCopy(runtime, blockEntry, (states) => {
      this.lists = blockLists(states);
    });
  }

  /** Resolves at once but for the first screening, and after a pause in which other replicas may have screened. */
  ready(): Promise<void> | null {
    if (this.begun === null || this.others_at_ms === Number.NEGATIVE_INFINITY) return this.begin();
    const age_ms = this.runtime.clock.wall() - this.others_at_ms;
    if (age_ms > OTHERS_EVERY_MS) this.others ??= this.readOthers();
    return age_ms > OTHERS_AWAITED_MS ? this.others : null;
  }

  note({ mode, payment_id, customer_wallet, ip_hash, email_hash, at_ms }: SubjectRow): void {
    const subjects = { wallet: customer_wallet, ip: ip_hash, email: email_hash };
    for (const [by, value] of Object.entries(subjects)) {
      if (value !== null)
        this.velocities.note({ mode, by: by as ListKind, value }, payment_id, at_ms);
    }
  }

  async close(): Promise<void> {
    await Promise.all([
      this.rules_copy.close(),
      this.entries_copy.close(),
      this.sanctions.copy.close(),
    ]);
    await this.others;
  }

  private begin(): Promise<void> {
    this.begun ??= this.beginAll().catch((error: unknown) => {
      this.begun = null;
      throw error;
    });
    return this.begun;
  }

  private async beginAll(): Promise<void> {
    await Promise.all([
      this.rules_copy.ready(),
      this.entries_copy.ready(),
      this.sanctions.copy.ready(),
    ]);
    const { readModels, clock } = this.runtime;
    const taken = await subjectsOfOthers(readModels, this.writer, NOTHING_BEFORE);
    this.mark = taken.mark;
    for (const row of await subjectsSince(readModels, clock.now() - WINDOW_MS_MAX)) this.note(row);
    this.others_at_ms = clock.wall();
  }

  /** Without the database the replica goes by what it has screened itself. */
  private async readOthers(): Promise<void> {
    const { readModels, clock, log } = this.runtime;
    const asked_at_ms = clock.wall();
    try {
      const { rows, mark } = await subjectsOfOthers(readModels, this.writer, this.mark);
      for (const row of rows) this.note(row);
      this.mark = mark;
    } catch {
      log.warn({}, 'what other replicas have screened could not be read');
    } finally {
      this.others_at_ms = asked_at_ms;
      this.others = null;
    }
  }
}

/** Past every transaction: only the mark is asked for. */
const NOTHING_BEFORE = '18446744073709551615';
