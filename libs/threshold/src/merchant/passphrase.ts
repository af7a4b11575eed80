/** Characters of a passphrase for a recovery kit, at least. What encrypts under it takes a second for each guess. */
export const PASSPHRASE_LENGTH_MIN = 12;

/** The bytes that are the same from every keyboard. */
export const passphraseBytes = (passphrase: string): Uint8Array =>
  new TextEncoder().encode(passphrase.normalize('NFKC'));

/** Whether a recovery kit can be made under it: the one place that says so. */
export const isPassphrase = (passphrase: string): boolean =>
  [...passphrase.normalize('NFKC').trim()].length >= PASSPHRASE_LENGTH_MIN;
