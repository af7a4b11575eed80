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
  confirm(): void;
  useKnown(): void;
  showKitForm(): void;
  openKit(file: File | null, passphrase: string): void;
  addPasskey(): void;
  back(): void;
}
