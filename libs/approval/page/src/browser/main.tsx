import { Refusal, Store } from '@tender/page/browser';
import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Actions } from '../actions';
import { Page } from '../page';
import { PAGE_DATA_ID, type PageData } from '../page-data';
import { firstView, type View } from '../view';
import { WORDS } from '../words/words';
import { AddPasskey } from './add-passkey';
import { KitToSave } from './kit-to-save';
import { takeLinkToken } from './link-token';
import { devicePasskeys, hasPasskeys } from './passkeys';
import { RenewKit } from './renew-kit';
import type { SettingUp } from './setting-up';
import { SetupApi } from './setup-api';
import { linkTroubleOf, noteOf } from './trouble-of';
import { WalletSetUp } from './wallet-set-up';

const data = JSON.parse(document.getElementById(PAGE_DATA_ID)?.textContent ?? '') as PageData;
const store = new Store<View>(firstView(data.language));
const token = takeLinkToken();
const api = new SetupApi(data.api, token ?? '');

const on: SettingUp = {
  store,
  api,
  passkeys: devicePasskeys,
  tools: async () => (await import('./keys.js')).tools,
  async attempt(work) {
    try {
      await work();
    } catch (fault) {
      await ended(fault);
    }
  },
};
const kits = new KitToSave(on);
const wallet = new WalletSetUp(on, kits);
const passkey = new AddPasskey(on);
const kit = new RenewKit(on, kits);

/** What a piece of work has failed by, in words of the page. */
async function ended(fault: unknown): Promise<void> {
  const { state, setup } = store.view;
  const trouble = linkTroubleOf(fault);
  const note = noteOf(fault);
  const has_ended = trouble !== null || note === 'superseded' || isWalletThere(fault);
  // A kit of a wallet that is never confirmed is of no wallet.
  const kit_void = state === 'save' && setup?.wallet_address === null && has_ended;
  if (has_ended) for (const one of [kits, wallet, passkey]) one.forget();
  store.set({ note: null, waiting: false, kit_void });
  if (trouble) store.set({ state: trouble });
  else if (isWalletThere(fault)) await open();
  else store.set({ note, ...(kit_void ? { state: 'passphrase' } : {}) });
}

const isWalletThere = (fault: unknown): boolean =>
  fault instanceof Refusal && fault.code === 'wallet_exists';

/** Where this merchant stands, and so which screen is next. */
async function open(): Promise<void> {
  if (!token) return store.set({ state: 'no link' });
  if (!hasPasskeys()) return store.set({ state: 'no passkeys' });
  store.set({ waiting: true, note: null });
  try {
    const setup = await api.setUp();
    const has_wallet = setup.wallet_type === 'mpc_passkey' && setup.wallet_address !== null;
    store.set({ setup, state: has_wallet ? 'ways' : 'welcome', waiting: false });
  } catch (fault) {
    store.set({ state: linkTroubleOf(fault) ?? 'offline', waiting: false });
  }
}

const actions: Actions = {
  speak(language) {
    document.documentElement.lang = language;
    document.title = WORDS[language].title;
    store.set({ language });
  },
  retry: () => void (store.view.state === 'making' ? wallet.make() : open()),
  begin: () => store.set({ state: 'passphrase' }),
  secure: (passphrase, again, with_known) => void wallet.secure(passphrase, again, with_known),
  acceptKitAlone: () => void wallet.make(),
  otherPasskey: () => store.set({ state: 'passphrase', note: null }),
  took: () => store.set({ kit_saved: true }),
  checkKit: (file) => void kits.check(file),
  useKnown: () => void passkey.useKnown(),
  showKitForm: () => store.set({ state: 'open kit', note: null }),
  openKit: (file, passphrase) => void passkey.openKit(file, passphrase),
  addPasskey: (with_known) => void passkey.add(with_known),
  showNewKitForm: () => store.set({ state: 'new kit', note: null, kit_void: false }),
  renewKit: (file, passphrase, again) => void kit.renew(file, passphrase, again),
  back() {
    passkey.forget();
    store.set({ state: 'ways', note: null, malformed: [] });
  },
};

function App() {
  const [view, draw] = useState<View>(store.view);
  useEffect(() => store.draw(draw), []);
  const { state, malformed } = view;
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== state) document.querySelector<HTMLElement>('h1')?.focus();
    before.current = state;
    if (malformed.length > 0) document.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [state, malformed]);
  return <Page view={view} words={WORDS[view.language]} actions={actions} />;
}

// What was made and is not confirmed is gone with the page.
addEventListener('beforeunload', (event) => {
  if (store.view.state === 'making' || store.view.state === 'save') event.preventDefault();
});
// Another link opened in the same tab changes the fragment alone.
addEventListener('hashchange', () => location.reload());

const root = document.getElementById('page');
if (root) {
  root.replaceChildren();
  render(<App />, root);
}
void open();
