import type { StoredSubmission } from '../watch-submissions/submission.record';
import { printOf, type KeyFilter } from './key-filter';

/** One network's transactions that were handed in and that the chain has not shown yet, by signature. */
export class SubmissionBook {
  /** Signatures to look up once: what they name may be in blocks that were read before they came. */
  readonly lookUps = new Set<string>();
  private readonly open = new Map<string, StoredSubmission>();

  /** `filter`: over everything that blocks are searched for. */
  constructor(private readonly filter: KeyFilter) {}

  has(signature: string): boolean {
    return this.open.has(signature);
  }

  get(signature: string): StoredSubmission | undefined {
    return this.open.get(signature);
  }

  /** What this service sends until it lands. */
  toSend(): readonly (StoredSubmission & { readonly signed_transaction: string })[] {
    return [...this.open.values()].flatMap((submission) => {
      const { signed_transaction } = submission;
      return signed_transaction === null ? [] : [{ ...submission, signed_transaction }];
    });
  }

  /** From now on blocks are searched for it; it is looked up once. What is ours takes the place of a stranger's. */
  add(submission: StoredSubmission): void {
    const { signature, is_ours } = submission;
    const known = this.open.get(signature);
    if (known && (known.is_ours || !is_ours)) return;
    this.open.set(signature, submission);
    if (!known) this.filter.add(printOf(signature));
    this.lookUps.add(signature);
  }

  remove(signature: string): void {
    this.lookUps.delete(signature);
    if (this.open.delete(signature)) this.filter.remove(printOf(signature));
  }

  removeOf(payment_id: string): void {
    for (const submission of [...this.open.values()]) {
      if (submission.payment_id === payment_id) this.remove(submission.signature);
    }
  }
}
