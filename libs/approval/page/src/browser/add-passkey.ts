import { Refusal } from '@tender/page/browser';
import type { SetUp } from '../view';
import type { OpenShare } from './key-tools';
import { openByPasskey } from './open-by-passkey';
import { PasskeyRefused } from './passkeys';
import { know, type SettingUp } from './setting-up';

/** Registered, and what it has sealed; sent until it is taken. */
interface Sealed {
  readonly passkey_id: string;
  readonly sealed_share_c: string;
}

/** One more passkey: share C is opened once, sealed for the new one, and zeroed. */
export class AddPasskey {
  private share: OpenShare | null = null;
  private sealed: Sealed | null = null;

  constructor(private readonly on: SettingUp) {}

  /** Opens C with a passkey that this merchant has. */
  async useKnown(): Promise<void> {
    const { store, attempt } = this.on;
    store.set({ note: null, waiting: true });
    await attempt(async () => {
      const { passkey_id, share } = await openByPasskey(this.on);
      this.hold(share, passkey_id);
    });
  }

  /** Opens C with the recovery kit. */
  async openKit(file: File | null, passphrase: string): Promise<void> {
    const { store, attempt, tools } = this.on;
    if (!file) return store.set({ malformed: ['kit'], note: null });
    store.set({ malformed: [], note: null, waiting: true });
    await attempt(async () => {
      const { openKit } = await tools();
      const { wallet_address, share_c } = await openKit(await file.text(), passphrase);
      if (wallet_address === store.view.setup?.wallet_address) return this.hold(share_c, null);
      share_c.erase();
      store.set({ note: 'other_kit', waiting: false });
    });
  }

  /**
   * Makes the passkey, or uses one that was made before and has sealed nothing (`with_known`). Of a merchant with a
   * wallet of ours it seals C, too.
   */
  async add(with_known: boolean): Promise<void> {
    const { store, attempt } = this.on;
    const { setup } = store.view;
    if (!setup) return;
    store.set({ note: null, waiting: true });
    await attempt(async () => {
      this.sealed ??= await this.sealedBy(setup, with_known);
      if (this.sealed) await this.send(this.sealed);
      const is_sealed = this.sealed !== null || setup.wallet_type === 'external';
      this.forget();
      store.set({ state: 'passkey done', is_sealed, waiting: false });
    });
  }

  /** Zeroes the share, where one is open. */
  forget(): void {
    this.share?.erase();
    this.share = null;
    this.sealed = null;
  }

  private hold(share: OpenShare, opened_by: string | null): void {
    this.forget();
    this.share = share;
    this.on.store.set({ state: 'new passkey', opened_by, waiting: false });
  }

  /** Null: it cannot seal, or there is nothing to be sealed. */
  private async sealedBy(setup: SetUp, with_known: boolean): Promise<Sealed | null> {
    const { store, api, passkeys, tools } = this.on;
    const others = setup.passkeys.map(({ id }) => id).filter((id) => id !== store.view.opened_by);
    const { id, prf } = with_known
      ? await passkeys.use(others)
      : await passkeys.make(api, setup, (made) => know(this.on, made));
    if (with_known && !prf) throw new PasskeyRefused('no_prf');
    try {
      if (!this.share || !prf) return null;
      return { passkey_id: id, sealed_share_c: await (await tools()).seal(this.share, prf) };
    } finally {
      prf?.fill(0);
    }
  }

  private async send(sealed: Sealed): Promise<void> {
    try {
      await this.on.api.post('/passkey-wallet/shares', sealed);
    } catch (fault) {
      // Another passkey can take its place.
      if (fault instanceof Refusal && fault.code === 'share_exists') this.sealed = null;
      throw fault;
    }
  }
}
