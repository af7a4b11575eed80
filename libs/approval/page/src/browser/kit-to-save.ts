import type { SettingUp } from './setting-up';

/** Letters of the address in the name of the kit’s file: enough to tell wallets apart. */
const NAME_LETTERS = 8;

interface Kit {
  readonly text: string;
  readonly wallet_address: string;
  /** What comes once it is saved. */
  readonly then: () => Promise<void>;
}

/** A recovery kit that the merchant saves, and shows that it has saved: nothing goes on without its file. */
export class KitToSave {
  private kit: Kit | null = null;

  constructor(private readonly on: Pick<SettingUp, 'store' | 'attempt'>) {}

  offer(kit: Kit): void {
    this.forget();
    this.kit = kit;
    const name = `recovery-kit-${kit.wallet_address.slice(0, NAME_LETTERS)}.json`;
    const address = URL.createObjectURL(new Blob([kit.text], { type: 'application/json' }));
    const offered = { state: 'save', kit: { name, address }, kit_saved: false } as const;
    this.on.store.set({ ...offered, note: null, malformed: [], waiting: false });
  }

  /** Goes on where the file is the kit, to the letter: what is saved in part or is an older one opens nothing. */
  async check(file: File | null): Promise<void> {
    const { kit } = this;
    const { store, attempt } = this.on;
    if (!kit || store.view.waiting) return;
    if (!file) return store.set({ malformed: ['kit'], note: null });
    store.set({ malformed: [], note: null, waiting: true });
    await attempt(async () => {
      if ((await file.text()) !== kit.text) return store.set({ note: 'other_file', waiting: false });
      await kit.then();
    });
  }

  /** The browser, too, lets go of the bytes. */
  forget(): void {
    const { kit } = this.on.store.view;
    if (kit) URL.revokeObjectURL(kit.address);
    this.kit = null;
  }
}
