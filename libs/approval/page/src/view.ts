import type { Language } from '@tender/page/browser';

/** What `GET /passkey-setup` says of the merchant whose link was opened. */
export interface SetUp {
  readonly merchant_id: string;
  readonly merchant_name: string;
  readonly email: string;
  readonly wallet_type: 'mpc_passkey' | 'external';
  readonly wallet_address: string | null;
  /** Its signing passkeys. */
  readonly passkeys: readonly { readonly id: string; readonly name: string }[];
}

/** Why the link leads nowhere. */
export type LinkTrouble = 'no link' | 'unknown' | 'used' | 'expired' | 'by key';

export type StateName =
  | 'opening'
  | LinkTrouble
  | 'no passkeys'
  | 'offline'
  | 'welcome'
  | 'passphrase'
  | 'kit alone'
  | 'making'
  | 'save'
  | 'done'
  | 'ways'
  | 'open kit'
  | 'new passkey'
  | 'passkey done'
  | 'new kit'
  | 'kit done';

/** What went wrong with the last thing that was tried; nothing was lost by it. */
export type Note =
  | 'refused'
  | 'known'
  | 'failed'
  | 'offline'
  | 'busy'
  | 'no_prf'
  | 'not_sealed'
  | 'sealed_already'
  | 'superseded'
  | 'wrong_passphrase'
  | 'damaged_kit'
  | 'other_kit'
  | 'other_file';

export type Field = 'passphrase' | 'again' | 'kit';

/** How far the browser and signer A have come with the keys of a wallet. */
export const STAGES = ['agree', 'exchange', 'check', 'pack'] as const;
export type Stage = (typeof STAGES)[number];

/** A file for the merchant to keep. */
export interface KitFile {
  readonly name: string;
  /** Of the bytes in this browser. */
  readonly address: string;
}

export interface View {
  readonly language: Language;
  readonly state: StateName;
  readonly setup: SetUp | null;
  readonly note: Note | null;
  /** What has to be filled in otherwise. */
  readonly malformed: readonly Field[];
  /** Something is under way that the merchant waits for: a passkey, or an answer. */
  readonly waiting: boolean;
  readonly stage: Stage;
  readonly kit: KitFile | null;
  /** The browser was asked to save it. */
  readonly kit_saved: boolean;
  /** The passkey seals share C; otherwise it is in the kit alone. */
  readonly is_sealed: boolean;
  /** The kit that was saved is of a wallet that will never be. */
  readonly kit_void: boolean;
  /** The passkey that has opened share C; null: the kit has. */
  readonly opened_by: string | null;
  readonly wallet_address: string | null;
}

export const firstView = (language: Language): View => ({
  ...{ language, state: 'opening', setup: null, note: null, malformed: [], waiting: false },
  ...{ stage: 'agree', kit: null, kit_saved: false, is_sealed: true, wallet_address: null },
  ...{ kit_void: false, opened_by: null },
});

/** The steps that the page counts for a merchant; null: the screen is beside them. */
const STEPS: Partial<Readonly<Record<StateName, number>>> = {
  welcome: 1, passphrase: 2, 'kit alone': 2, making: 3, save: 4, done: 5,
};
export const STEPS_COUNT = 5;

/** Making a wallet has steps; adding a passkey is one of its own. */
export const stepOf = ({ state, setup }: View): number | null =>
  setup?.wallet_type === 'mpc_passkey' && setup.wallet_address === null ? (STEPS[state] ?? null) : null;
