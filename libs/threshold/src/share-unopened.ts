/** A sealed share did not open, or is not what it was kept as. Its text names no secret. */
export class ShareUnopened extends Error {
  override readonly name = 'ShareUnopened';
  readonly code = 'share_unopened';
}
