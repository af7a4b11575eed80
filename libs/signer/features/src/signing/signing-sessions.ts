import type { Commit, Nonces, Operation } from '@tender/threshold';

/** A signature that was begun: its nonces are here and nowhere else, so it ends with this process. */
export interface SigningSession {
  readonly session: string;
  readonly op: Operation;
  readonly epoch: number;
  readonly message: Uint8Array;
  readonly commit: Commit;
  readonly nonces: Nonces;
  readonly ends_ms: number;
}

/** How long after a proposal its share may be asked for. */
export const SESSION_MS = 15_000;
/** Far more than honest work ever has open; beyond it memory would be the asker’s. */
const SESSIONS_MAX = 1_000;

/** The signatures that are under way. */
export class SigningSessions {
  private readonly open = new Map<string, SigningSession>();

  /** False where there are too many. */
  hasRoom(now_ms: number): boolean {
    this.dropEnded(now_ms);
    return this.open.size < SESSIONS_MAX;
  }

  add(session: SigningSession): void {
    this.open.set(session.session, session);
  }

  has(session: string): boolean {
    return this.open.has(session);
  }

  /** Once: whatever comes of it, its nonces are not used a second time. */
  take(session: string): SigningSession | null {
    const found = this.open.get(session) ?? null;
    this.open.delete(session);
    return found;
  }

  /** Zeroes the nonces of sessions that have ended unsigned. */
  dropEnded(now_ms: number): void {
    for (const [id, { ends_ms, nonces }] of this.open) {
      if (now_ms <= ends_ms) continue;
      nonces.erase();
      this.open.delete(id);
    }
  }
}
