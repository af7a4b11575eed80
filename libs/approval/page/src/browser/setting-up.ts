import type { Store } from '@tender/page/browser';
import type { View } from '../view';
import type { KeyTools } from './key-tools';
import type { Passkeys } from './passkeys';
import type { SetupApi } from './setup-api';

/** What every way through the page works with. */
export interface SettingUp {
  readonly store: Store<View>;
  readonly api: SetupApi;
  /** Loaded when it is needed: the first visit is for reading. */
  readonly tools: () => Promise<KeyTools>;
  readonly passkeys: Passkeys;
  /** Does a piece of work; what it throws becomes words of the page, and nothing waits any more. */
  readonly attempt: (work: () => Promise<void>) => Promise<void>;
}

/** Keeps in mind that this passkey is registered, so that the page offers to use it. */
export function know({ store }: Pick<SettingUp, 'store'>, id: string): void {
  const { setup } = store.view;
  if (!setup || setup.passkeys.some((one) => one.id === id)) return;
  store.set({ setup: { ...setup, passkeys: [...setup.passkeys, { id, name: '' }] } });
}
