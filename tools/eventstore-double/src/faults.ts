/** How the double misbehaves, for tests. What is left out works. */
export interface Faults {
  /** Appends are committed, and answered so many milliseconds later. */
  readonly answer_delay_ms?: number;
  /** So many appends from now on are committed and never answered. */
  readonly lose_acks?: number;
  /** Every call is refused at once as unavailable. */
  readonly refuse?: boolean;
  /** Subscriptions that are open at this moment never say anything again, though they stay open. */
  readonly silence?: boolean;
}

/** The faults in force, and the subscriptions that silence stops. */
export class FaultSwitch {
  private faults: Faults = {};
  private acks_to_lose = 0;
  private readonly subscriptions = new Set<() => void>();

  /** Replaces what was in force before. */
  set(faults: Faults): void {
    this.faults = faults;
    this.acks_to_lose = faults.lose_acks ?? 0;
    if (!faults.silence) return;
    for (const silence of this.subscriptions) silence();
    this.subscriptions.clear();
  }

  get refuses(): boolean {
    return this.faults.refuse ?? false;
  }

  get answer_delay_ms(): number {
    return this.faults.answer_delay_ms ?? 0;
  }

  losesAck(): boolean {
    if (this.acks_to_lose === 0) return false;
    this.acks_to_lose -= 1;
    return true;
  }

  /** The function that it returns unsubscribes. */
  onSilence(work: () => void): () => void {
    this.subscriptions.add(work);
    return () => this.subscriptions.delete(work);
  }
}
