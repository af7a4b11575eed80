import { Refusal, type Store } from '@tender/page/browser';
import type { View } from '../view';
import type { KeyTools, OpenShare } from './key-tools';
import { makePasskey, usePasskey } from './passkeys';
import type { SetupApi } from './setup-api';
import type { Try } from './try';

/** Registered, and what it has sealed; sent until it is taken. */
interface Sealed {
  readonly passkey_id: string;
  readonly sealed_share_c: string;
}

/** One more passkey: share C is opened once, and sealed for the new one. */
export class AddPasskey {
  private share: OpenShare | null = null;
  private sealed: Sealed | null = null;

  constructor(
    private readonly store: Store<View>,
    private readonly api: SetupApi,
    private readonly tools: () => Promise<KeyTools>,
    private readonly attempt: Try,
  ) {}

  /** Opens C with a passkey that this merchant has. */
  async useKnown(): Promise<void> {
    const ids = this.store.view.setup?.passkeys.map(({ id }) => id) ?? [];
    this.store.set({ note: null, waiting: true });
    await this.attempt(async () => {
      const [used, tools] = await Promise.all([usePasskey(ids), this.tools()]);
      if (!used.prf) return this.store.set({ note: 'no_prf', waiting: false });
      const kept = await this.keptFor(used.id);
      if (!kept) return this.store.set({ note: 'not_sealed', waiting: false });
      this.share = await tools.unseal(kept.sealed_share_c, used.prf, kept.wallet_roster);
      this.store.set({ state: 'new passkey', waiting: false });
    });
  }

  /** Opens C with the recovery kit. */
  async openKit(file: File | null, passphrase: string): Promise<void> {
    if (!file) return this.store.set({ malformed: ['kit'], note: null });
    this.store.set({ malformed: [], note: null, waiting: true });
    await this.attempt(async () => {
      const tools = await this.tools();
      const { wallet_address, share_c } = await tools.openKit(await file.text(), passphrase);
      if (wallet_address !== this.store.view.setup?.wallet_address) {
        return this.store.set({ note: 'other_kit', waiting: false });
      }
      this.share = share_c;
      this.store.set({ state: 'new passkey', waiting: false });
    });
  }

  /** Makes the passkey; of a merchant with a wallet of ours it seals C, too. */
  async add(): Promise<void> {
    const { setup } = this.store.view;
    if (!setup) return;
    this.store.set({ note: null, waiting: true });
    await this.attempt(async () => {
      if (!this.sealed) {
        const { id, prf } = await makePasskey(this.api, setup);
        if (this.share && prf) {
          const sealed_share_c = await (await this.tools()).seal(this.share, prf);
          this.sealed = { passkey_id: id, sealed_share_c };
        }
      }
      if (this.sealed) await this.api.post('/passkey-wallet/shares', this.sealed);
      const is_sealed = this.sealed !== null || setup.wallet_type === 'external';
      this.share = null;
      this.sealed = null;
      this.store.set({ state: 'passkey done', is_sealed, waiting: false });
    });
  }

  /** Null: with this passkey no share is kept. */
  private async keptFor(
    passkey_id: string,
  ): Promise<{ readonly sealed_share_c: string; readonly wallet_roster: object } | null> {
    try {
      return await this.api.get(`/passkey-wallet/shares/${encodeURIComponent(passkey_id)}`);
    } catch (fault) {
      if (fault instanceof Refusal && fault.status === 404) return null;
      throw fault;
    }
  }
}
