import type { Language } from '@tender/page/browser';

/** Everything that a merchant can do on the page. */
export interface Actions {
  speak(language: Language): void;
  /** Ask the program again. */
  retry(): void;
  begin(): void;
  /** `with_known`: use a passkey that this merchant has made already. */
  secure(passphrase: string, again: string, with_known: boolean): void;
  /** Go on without a passkey that can seal. */
  acceptKitAlone(): void;
  otherPasskey(): void;
  took(): void;
  /** The file that was saved; null: none was chosen. */
  checkKit(file: File | null): void;
  useKnown(): void;
  showKitForm(): void;
  openKit(file: File | null, passphrase: string): void;
  /** `with_known`: use one that was made before. */
  addPasskey(with_known: boolean): void;
  showNewKitForm(): void;
  renewKit(file: File | null, passphrase: string, again: string): void;
  back(): void;
}
