import { Refusal, type Store } from '@tender/page/browser';
import type { Stage, View } from '../view';
import type { KeyTools, MadeWallet } from './key-tools';
import { makePasskey, usePasskey, type UsedPasskey } from './passkeys';
import type { SetupApi } from './setup-api';
import type { Try } from './try';

/** Letters of the address in the name of the kit’s file: enough to tell wallets apart. */
const NAME_LETTERS = 8;
export const PASSPHRASE_LETTERS_MIN = 12;

/** From the passphrase to the address: the parts of the key are made here, and are forgotten when it is done. */
export class WalletSetUp {
  private passphrase = '';
  private passkey: UsedPasskey | null = null;
  private made: MadeWallet | null = null;
  private sealed: string | null = null;

  constructor(
    private readonly store: Store<View>,
    private readonly api: SetupApi,
    private readonly tools: () => Promise<KeyTools>,
    private readonly attempt: Try,
  ) {}

  async secure(passphrase: string, again: string, with_known: boolean): Promise<void> {
    const is_short = [...passphrase].length < PASSPHRASE_LETTERS_MIN;
    if (is_short) return this.store.set({ malformed: ['passphrase'], note: null });
    if (passphrase !== again) return this.store.set({ malformed: ['again'], note: null });
    const { setup } = this.store.view;
    if (!setup) return;
    this.passphrase = passphrase;
    this.store.set({ malformed: [], note: null, waiting: true });
    await this.attempt(async () => {
      this.passkey = with_known
        ? await usePasskey(setup.passkeys.map(({ id }) => id))
        : await makePasskey(this.api, setup);
      this.know(this.passkey.id);
      const is_sealed = this.passkey.prf !== null;
      this.store.set({ waiting: false, is_sealed });
      if (is_sealed) await this.make();
      else this.store.set({ state: 'kit alone' });
    });
  }

  /** Begins anew each time: what was half made counts for nothing. */
  async make(): Promise<void> {
    this.store.set({ state: 'making', stage: 'agree', note: null, waiting: false });
    await this.attempt(async () => {
      const tools = await this.tools();
      const tell = (stage: Stage) => this.store.set({ stage });
      const { merchant_id = '' } = this.store.view.setup ?? {};
      const made = await tools.makeWallet(this.api, merchant_id, tell);
      tell('pack');
      const prf = this.passkey?.prf;
      this.sealed = prf ? await tools.seal(made.share_c, prf) : null;
      const text = await made.pack(this.passphrase);
      this.made = made;
      const { wallet_address } = made;
      const name = `recovery-kit-${wallet_address.slice(0, NAME_LETTERS)}.json`;
      const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
      this.store.set({ state: 'save', kit: { name, address }, kit_saved: false });
    });
  }

  /** The shares are kept: only now the wallet is the merchant’s. The same may be said again. */
  async confirm(): Promise<void> {
    const { made, passkey, sealed } = this;
    if (!made || !passkey) return;
    this.store.set({ note: null, waiting: true });
    await this.attempt(async () => {
      const body = { ...made.confirmation, passkey_id: passkey.id, sealed_share_c: sealed };
      const { wallet_address } = await this.api.post<{ wallet_address: string }>(
        '/passkey-wallet/confirm',
        body,
      );
      if (wallet_address !== made.wallet_address) throw new Refusal(409, 'other_wallet', {}, null, null);
      this.forget();
      this.store.set({ state: 'done', wallet_address, waiting: false });
    });
  }

  private know(id: string): void {
    const { setup } = this.store.view;
    if (!setup || setup.passkeys.some((one) => one.id === id)) return;
    this.store.set({ setup: { ...setup, passkeys: [...setup.passkeys, { id, name: '' }] } });
  }

  private forget(): void {
    this.passphrase = '';
    this.passkey = null;
    this.made = null;
    this.sealed = null;
  }
}
