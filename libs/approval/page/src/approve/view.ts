import type { Language } from '@tender/page/browser';
import type { ReadRequest } from '@tender/threshold/approval';

/** Why nothing can be approved here. */
export type RequestTrouble = 'no request' | 'altered' | 'expired' | 'no passkeys';

export type ApproveState = 'opening' | RequestTrouble | 'asked' | 'approved';

export interface ApproveView {
  readonly language: Language;
  readonly state: ApproveState;
  /** What is to be allowed: it and its challenge fit. */
  readonly request: ReadRequest | null;
  readonly note: 'refused' | null;
  /** The browser asks for the passkey. */
  readonly waiting: boolean;
  /** The proof, as JSON that people can copy. */
  readonly signature: string | null;
  /** The page that has opened this one has said that it has the proof. */
  readonly is_taken: boolean;
  /** Null: not tried. */
  readonly is_copied: boolean | null;
}

export const firstApproveView = (language: Language): ApproveView => ({
  ...{ language, state: 'opening', request: null, note: null, waiting: false },
  ...{ signature: null, is_taken: false, is_copied: null },
});
