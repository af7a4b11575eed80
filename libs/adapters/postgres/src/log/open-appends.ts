import type { PendingAppend } from './event-rows';

/** A call’s place among those without an outcome. */
export interface OpenAppend {
  readonly append: PendingAppend;
  older: OpenAppend | null;
  newer: OpenAppend | null;
  has_left: boolean;
}

/**
 * Calls without an outcome, oldest first. One that has left keeps no link to those behind it, so that one which has
 * grown old keeps none of them. A Set that calls enter and leave all the time makes itself a new table every few of
 * them, and each old table knows the next: once one has outlived two collections, all that follow are kept, with the
 * calls that were in them, until the whole heap is collected.
 */
export class OpenAppends {
  private first: OpenAppend | null = null;
  private last: OpenAppend | null = null;

  get oldest(): PendingAppend | null {
    return this.first?.append ?? null;
  }

  enter(append: PendingAppend): OpenAppend {
    const entered = { append, older: this.last, newer: null, has_left: false };
    if (this.last) this.last.newer = entered;
    else this.first = entered;
    this.last = entered;
    return entered;
  }

  /** A second time changes nothing: an outcome may come after its call was given up. */
  leave(open: OpenAppend): void {
    if (open.has_left) return;
    const { older, newer } = open;
    if (older) older.newer = newer;
    else this.first = newer;
    if (newer) newer.older = older;
    else this.last = older;
    open.older = open.newer = null;
    open.has_left = true;
  }

  *[Symbol.iterator](): Generator<PendingAppend> {
    for (let open = this.first; open; open = open.newer) yield open.append;
  }
}
