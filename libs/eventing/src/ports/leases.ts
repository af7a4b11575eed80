/** Work that only one process of several does at a time. */
export interface Leases {
  /**
   * Tries to take the lease of that name, for ever. While this process holds it, what `start` has begun
   * runs; when it cannot renew the lease in time, or another process holds it, that is stopped and the
   * process stands by again. `start` that rejects gives the lease back, and is tried again later. `over` is aborted
   * as soon as the work has to stop, also where it has not started yet.
   */
  lead(name: string, start: (over: AbortSignal) => Promise<Led>): Lease;
}

/** What runs while a process leads. */
export interface Led {
  stop(): Promise<void>;
}

export interface Lease {
  /** True from when `start` has resolved until its work has to stop. */
  leads(): boolean;
  /**
   * Ends the term, if there is one: the work is stopped and the lease given back, and asked for again like any other
   * process. For work that can only be mended by beginning anew.
   */
  renounce(): void;
  /** Resolves once this process leads. */
  whenLeading(): Promise<void>;
  /** Stops the work, then gives the lease back, so that another process goes on at once. */
  stop(): Promise<void>;
}
