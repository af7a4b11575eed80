/** Keys that never leave the machine: `DATA_DIR/keys` (0600) or `MASTER_KEY` (E4). */
export interface KeyRing {
  /** HMAC-SHA256 under ID_SECRET, which never changes: object ids. */
  idBytes(scope: string): Buffer;
  /**
   * HMAC-SHA256 under the key of that business day: secrets that an answer shows can be derived again for
   * 24 h and not later. Throws `KeyDestroyed` once the day's key is gone.
   */
  dayBytes(day_of_ms: number, scope: string): Buffer;
  /** AES-256-GCM under a key of the subject; the answer is base64 text for an event. */
  sealPersonal(subject_id: string, plaintext: string): Promise<string>;
  /** Null when the subject's key was erased. */
  openPersonal(subject_id: string, sealed: string): Promise<string | null>;
  /** AES-256-GCM under the master key, bound to `context`: webhook secrets, stored answers. */
  seal(context: string, plaintext: string): string;
  open(context: string, sealed: string): string;
  /**
   * Writes a line down beside the keys, for all processes: what the database says is held to it. It survives a loss
   * of power.
   */
  witness(book: string, line: string): void;
  /** The lines of a book, as they were written down; none where there is no such book. */
  witnessed(book: string): readonly string[];
}

export class KeyDestroyed extends Error {
  override readonly name = 'KeyDestroyed';
}
