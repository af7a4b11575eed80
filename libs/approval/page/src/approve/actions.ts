import type { Language } from '@tender/page/browser';

/** Everything that a merchant can do on the page. */
export interface ApproveActions {
  speak(language: Language): void;
  approve(): void;
  copy(): void;
}
