import type { Step } from '../view';

/** Steps that the browser’s own back button leaves, and for which. From any other it leaves the page. */
const BEFORE: Readonly<Partial<Record<Step, Step>>> = {
  info: 'email',
  qr: 'choose',
  signing: 'choose',
  'switch account': 'choose',
};

/**
 * Puts one entry into the history for all of these steps together. Once the customer is at another step the entry
 * stands for nothing: who goes back over it leaves the page.
 */
export class StepHistory {
  /** A page that was loaded again stands where it stood. */
  private has_entry = isEntry();

  enter(step: Step): void {
    if (!(step in BEFORE) || this.has_entry) return;
    this.has_entry = true;
    history.pushState({ step }, '');
  }

  /** The browser went back or forth at this step: where the customer is now; null where that changes nothing. */
  leave(step: Step): Step | null {
    const had_entry = this.has_entry;
    this.has_entry = isEntry();
    const before = BEFORE[step] ?? null;
    if (this.has_entry) return null;
    if (before === null && had_entry) history.back();
    return before;
  }
}

const isEntry = (): boolean => Boolean(history.state);
