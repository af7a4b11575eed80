import { Refusal } from '@tender/page/browser';
import { isPassphrase } from '@tender/threshold/passphrase';
import type { Stage } from '../view';
import type { KitToSave } from './kit-to-save';
import type { UsedPasskey } from './passkeys';
import { know, type SettingUp } from './setting-up';

/** What was made and is not confirmed. No share is in it. */
interface Packed {
  readonly wallet_address: string;
  readonly confirmation: object;
  readonly passkey_id: string;
  readonly sealed_share_c: string | null;
}

/** From the passphrase to the address: the parts of the key are made here, and are zeroed once they are packed. */
export class WalletSetUp {
  private passphrase = '';
  private passkey: UsedPasskey | null = null;

  constructor(
    private readonly on: SettingUp,
    private readonly kits: KitToSave,
  ) {}

  async secure(passphrase: string, again: string, with_known: boolean): Promise<void> {
    const { store, api, passkeys, attempt } = this.on;
    if (!isPassphrase(passphrase)) return store.set({ malformed: ['passphrase'], note: null });
    if (passphrase !== again) return store.set({ malformed: ['again'], note: null });
    const { setup } = store.view;
    if (!setup) return;
    this.forget();
    store.set({ malformed: [], note: null, waiting: true });
    await attempt(async () => {
      const passkey = with_known
        ? await passkeys.use(setup.passkeys.map(({ id }) => id))
        : await passkeys.make(api, setup, (id) => know(this.on, id));
      this.passkey = passkey;
      this.passphrase = passphrase;
      const is_sealed = passkey.prf !== null;
      store.set({ waiting: false, is_sealed });
      if (is_sealed) await this.make();
      else store.set({ state: 'kit alone' });
    });
  }

  /** Begins anew each time: what was half made counts for nothing. */
  async make(): Promise<void> {
    const { store, attempt } = this.on;
    store.set({ state: 'making', stage: 'agree', note: null, waiting: false, kit_void: false });
    await attempt(async () => {
      const { packed, text } = await this.packed();
      this.forget();
      const { wallet_address } = packed;
      this.kits.offer({ text, wallet_address, then: () => this.confirm(packed) });
    });
  }

  private async packed(): Promise<{ readonly packed: Packed; readonly text: string }> {
    const { store, api, tools } = this.on;
    const { passkey, passphrase } = this;
    if (!passkey) throw new Error('A wallet is made once there is a passkey.');
    const { makeWallet, seal } = await tools();
    const tell = (stage: Stage) => store.set({ stage });
    const made = await makeWallet(api, store.view.setup?.merchant_id ?? '', tell);
    tell('pack');
    try {
      const { id, prf } = passkey;
      const sealed_share_c = prf ? await seal(made.share_c, prf) : null;
      const text = await made.pack(passphrase);
      const { wallet_address, confirmation } = made;
      return { packed: { wallet_address, confirmation, passkey_id: id, sealed_share_c }, text };
    } finally {
      made.erase();
    }
  }

  /** The shares are kept: only now the wallet is the merchant’s. It may be sent again. */
  private async confirm(packed: Packed): Promise<void> {
    const { store, api } = this.on;
    const { confirmation, passkey_id, sealed_share_c } = packed;
    const body = { ...confirmation, passkey_id, sealed_share_c };
    const { wallet_address } = await api.post<{ wallet_address: string }>('/passkey-wallet/confirm', body);
    if (wallet_address !== packed.wallet_address) throw new Refusal(409, 'other_wallet', {}, null, null);
    this.kits.forget();
    store.set({ state: 'done', wallet_address, waiting: false });
  }

  /** Neither is needed once the kit is packed, nor where another passkey is used. */
  forget(): void {
    this.passkey?.prf?.fill(0);
    this.passkey = null;
    this.passphrase = '';
  }
}
