import { invariant } from '@tender/kernel';
import { Unavailable } from './ports/failures';

/**
 * What a context makes for one term of leading. Routes, reactors and answers hold this: it is empty while another
 * replica leads, and holds something new in each term.
 */
export class OfLeader<Value> {
  private value: Value | null = null;

  /** `part` names it in the error: `chain indexer`. */
  constructor(private readonly part: string) {}

  /** Throws `Unavailable` while this process does not lead. */
  now(): Value {
    if (this.value === null) throw new Unavailable(this.part, { reason: 'this replica does not lead' });
    return this.value;
  }

  /** Null while this process does not lead. */
  current(): Value | null {
    return this.value;
  }

  begin(value: Value): void {
    invariant(this.value === null, `the last term of the ${this.part} has ended`);
    this.value = value;
  }

  end(): void {
    this.value = null;
  }
}
