export type KitCode =
  /** No recovery kit, or one of a version that this program does not know. */
  | 'kit_malformed'
  /** A recovery kit in which something was changed. */
  | 'kit_damaged'
  | 'passphrase_wrong'
  | 'passphrase_too_short';

/** Why there is no recovery kit, or it does not open. Its text names no secret. */
export class KitFault extends Error {
  override readonly name = 'KitFault';

  constructor(readonly code: KitCode) {
    super(code);
  }
}
