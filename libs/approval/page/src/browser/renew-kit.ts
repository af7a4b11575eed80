import { isPassphrase } from '@tender/threshold/passphrase';
import type { KitToSave } from './kit-to-save';
import { openByPasskey } from './open-by-passkey';
import type { SettingUp } from './setting-up';

/** A recovery kit under another passphrase, where that of before is lost: R from the kit, C by a passkey. */
export class RenewKit {
  constructor(
    private readonly on: SettingUp,
    private readonly kits: KitToSave,
  ) {}

  async renew(file: File | null, passphrase: string, again: string): Promise<void> {
    const { store, attempt, tools } = this.on;
    if (!file) return store.set({ malformed: ['kit'], note: null });
    if (!isPassphrase(passphrase)) return store.set({ malformed: ['passphrase'], note: null });
    if (passphrase !== again) return store.set({ malformed: ['again'], note: null });
    store.set({ malformed: [], note: null, waiting: true });
    await attempt(async () => {
      const { walletOfKit, renewKit } = await tools();
      const old = await file.text();
      const wallet_address = walletOfKit(old);
      if (wallet_address !== store.view.setup?.wallet_address) {
        return store.set({ note: 'other_kit', waiting: false });
      }
      const { share } = await openByPasskey(this.on);
      try {
        const text = await renewKit(old, share, passphrase);
        this.kits.offer({ text, wallet_address, then: async () => this.end() });
      } finally {
        share.erase();
      }
    });
  }

  private end(): void {
    this.kits.forget();
    this.on.store.set({ state: 'kit done', waiting: false });
  }
}
