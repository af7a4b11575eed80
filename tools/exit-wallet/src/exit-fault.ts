/** Why nothing more is done: a sentence for the merchant, which names no secret. */
export class ExitFault extends Error {
  override readonly name = 'ExitFault';
}
