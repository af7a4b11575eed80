import { Refusal, Store } from '@tender/page/browser';
import { SET_UP, WALLET } from '../testing/views';
import { firstView, type View } from '../view';
import { AddPasskey } from './add-passkey';
import { Unopened, type KeyTools } from './key-tools';
import { KitToSave } from './kit-to-save';
import { PasskeyRefused, type UsedPasskey } from './passkeys';
import { RenewKit } from './renew-kit';
import type { SettingUp } from './setting-up';
import type { SetupApi } from './setup-api';
import { WalletSetUp } from './wallet-set-up';

const PASSPHRASE = 'five slow owls under Leeds';
const READY = { ...SET_UP, wallet_address: WALLET, passkeys: [{ id: 'phone', name: '' }, { id: 'laptop', name: '' }] };

/** The page with a scripted device, program and second script: what they are asked, and what is zeroed. */
function page(setup: View['setup'], answers: Partial<Record<string, unknown>> = {}) {
  const store = new Store<View>(firstView('en'));
  store.set({ setup });
  const asked: { readonly path: string; readonly body: unknown }[] = [];
  const faults: unknown[] = [];
  const erased: string[] = [];
  const prf: Uint8Array[] = [];
  const device = { id: 'phone', has_prf: true, fault: null as Error | null };
  const share = (name: string) => ({ erase: () => void erased.push(name) });
  const answer = async (path: string, body: unknown) => {
    asked.push({ path, body });
    const given = answers[path];
    if (given instanceof Error) throw given;
    return given ?? {};
  };
  const used = async (): Promise<UsedPasskey> => {
    if (device.fault) throw device.fault;
    if (!device.has_prf) return { id: device.id, prf: null };
    const bytes = new Uint8Array(32).fill(7);
    prf.push(bytes);
    return { id: device.id, prf: bytes };
  };
  const tools: KeyTools = {
    makeWallet: async () => ({
      ...{ wallet_address: WALLET, share_c: share('C'), confirmation: { session: 's' } },
      pack: async (passphrase) => `a kit under ${passphrase}`,
      erase: () => void erased.push('C and R'),
    }),
    seal: async (_, by) => `sealed by ${by[0]}`,
    unseal: async (sealed) => {
      if (sealed === 'rubbish') throw new Unopened('not_sealed');
      return share('C');
    },
    openKit: async (text) => ({ wallet_address: text, share_c: share('C') }),
    walletOfKit: (text) => text,
    renewKit: async (text, _, passphrase) => `${text} under ${passphrase}`,
  };
  const on: SettingUp = {
    store,
    api: { get: (path: string) => answer(path, null), post: answer } as unknown as SetupApi,
    tools: async () => tools,
    passkeys: {
      use: async (ids) => {
        asked.push({ path: 'passkey', body: ids });
        return used();
      },
      make: async (_api, _setup, registered) => {
        registered(device.id);
        return used();
      },
    },
    attempt: (work) => work().catch((fault: unknown) => void faults.push(fault)),
  };
  const kits = new KitToSave(on);
  return { on, kits, store, asked, faults, erased, prf, device, answers };
}
type On = ReturnType<typeof page>;

const file = (text: string): File => new File([text], 'kit.json');
const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);
const paths = ({ asked }: On): readonly string[] => asked.map(({ path }) => path);
const CONFIRM = '/passkey-wallet/confirm';
const SHARES = '/passkey-wallet/shares';

describe('a wallet that is made', () => {
  const made = async (on: On): Promise<WalletSetUp> => {
    const wallet = new WalletSetUp(on.on, on.kits);
    await wallet.secure(PASSPHRASE, PASSPHRASE, false);
    return wallet;
  };

  test('is confirmed once the file is shown to be the kit, to the letter', async () => {
    const on = page(SET_UP, { [CONFIRM]: { wallet_address: WALLET } });
    await made(on);
    expect(on.store.view).toMatchObject({ state: 'save', kit_saved: false });
    await on.kits.check(null);
    expect(on.store.view.malformed).toEqual(['kit']);
    for (const other of ['', `a kit under ${PASSPHRASE.slice(0, -1)}`]) {
      await on.kits.check(file(other));
      expect(on.store.view).toMatchObject({ state: 'save', note: 'other_file', waiting: false });
    }
    expect(paths(on)).not.toContain(CONFIRM);
    await on.kits.check(file(`a kit under ${PASSPHRASE}`));
    expect(on.store.view).toMatchObject({ state: 'done', wallet_address: WALLET });
  });

  test('leaves no share, passkey answer or passphrase behind once it is packed, and no kit once it is confirmed', async () => {
    const revoked = jest.spyOn(URL, 'revokeObjectURL');
    const on = page(SET_UP, { [CONFIRM]: { wallet_address: WALLET } });
    const wallet = await made(on);
    expect(on.erased).toEqual(['C and R']);
    expect(on.prf).toHaveLength(1);
    expect(on.prf.every(isZero)).toBe(true);
    expect(JSON.stringify({ ...wallet, on: null, kits: null })).not.toContain(PASSPHRASE);
    const { address } = on.store.view.kit ?? {};
    expect(revoked).not.toHaveBeenCalled();
    await on.kits.check(file(`a kit under ${PASSPHRASE}`));
    expect(revoked).toHaveBeenCalledWith(address);
    expect(JSON.stringify({ ...on.kits, on: null })).not.toContain(PASSPHRASE);
    revoked.mockRestore();
  });

  test('is sealed by the true answer of the passkey, and asked for again after silence', async () => {
    const on = page(SET_UP, { [CONFIRM]: new Error('silent') });
    await made(on);
    await on.kits.check(file(`a kit under ${PASSPHRASE}`));
    expect(on.faults).toHaveLength(1);
    on.answers[CONFIRM] = { wallet_address: WALLET };
    on.store.set({ waiting: false });
    await on.kits.check(file(`a kit under ${PASSPHRASE}`));
    expect(on.store.view.state).toBe('done');
    const said = on.asked.filter(({ path }) => path === CONFIRM).map(({ body }) => body);
    const body = { session: 's', passkey_id: 'phone', sealed_share_c: 'sealed by 7' };
    expect(said).toEqual([body, body]);
  });

  test('takes a passphrase that the kit takes, by the same rule', async () => {
    const on = page(SET_UP);
    const wallet = new WalletSetUp(on.on, on.kits);
    for (const short of ['short', '            ', 'eleven chars']) {
      const text = short === 'eleven chars' ? '12345678901 ' : short;
      await wallet.secure(text, text, false);
      expect(on.store.view.malformed).toEqual(['passphrase']);
    }
    expect(on.prf).toEqual([]);
  });

  test('keeps in mind a passkey that was registered before its answer was refused', async () => {
    const on = page(SET_UP);
    on.device.fault = new PasskeyRefused('refused');
    await made(on);
    expect(on.store.view.setup?.passkeys.map(({ id }) => id)).toEqual(['phone']);
  });
});

describe('one more passkey', () => {
  const opened = async (on: On): Promise<AddPasskey> => {
    const adding = new AddPasskey(on.on);
    await adding.openKit(file(WALLET), PASSPHRASE);
    expect(on.store.view.state).toBe('new passkey');
    return adding;
  };

  test('that was registered and has sealed nothing is used for it', async () => {
    const on = page(READY);
    on.device.id = 'laptop';
    const adding = await opened(on);
    await adding.add(true);
    expect(on.asked).toEqual([
      { path: 'passkey', body: ['phone', 'laptop'] },
      { path: SHARES, body: { passkey_id: 'laptop', sealed_share_c: 'sealed by 7' } },
    ]);
    expect(on.store.view).toMatchObject({ state: 'passkey done', is_sealed: true });
    expect(on.erased).toEqual(['C']);
    expect(on.prf.every(isZero)).toBe(true);
  });

  test('that has its share already leaves room for another one', async () => {
    const on = page(READY, { [SHARES]: new Refusal(409, 'share_exists', {}, null, null) });
    const adding = await opened(on);
    await adding.add(true);
    expect(on.faults).toHaveLength(1);
    delete on.answers[SHARES];
    on.device.id = 'laptop';
    await adding.add(true);
    expect(on.asked.at(-1)).toEqual({ path: SHARES, body: { passkey_id: 'laptop', sealed_share_c: 'sealed by 7' } });
  });

  test('is not the one that has opened the share', async () => {
    const on = page(READY, { [`${SHARES}/phone`]: { sealed_share_c: 'c', wallet_roster: {} } });
    const adding = new AddPasskey(on.on);
    await adding.useKnown();
    expect(on.store.view).toMatchObject({ state: 'new passkey', opened_by: 'phone' });
    await adding.add(true);
    expect(on.asked.filter(({ path }) => path === 'passkey').at(-1)?.body).toEqual(['laptop']);
    expect(on.prf.every(isZero)).toBe(true);
  });

  test('opens nothing where what is kept for it is not what it has sealed', async () => {
    const on = page(READY, { [`${SHARES}/phone`]: { sealed_share_c: 'rubbish', wallet_roster: {} } });
    await new AddPasskey(on.on).useKnown();
    expect(on.faults).toEqual([new Unopened('not_sealed')]);
    expect(on.prf.every(isZero)).toBe(true);
  });

  test('leaves the share behind zeroed where the merchant goes back, or the kit is another wallet’s', async () => {
    const on = page(READY);
    const adding = await opened(on);
    adding.forget();
    expect(on.erased).toEqual(['C']);
    await adding.openKit(file('another wallet'), PASSPHRASE);
    expect(on.store.view.note).toBe('other_kit');
    expect(on.erased).toEqual(['C', 'C']);
  });
});

describe('a kit whose passphrase is lost', () => {
  const kept = { [`${SHARES}/phone`]: { sealed_share_c: 'c', wallet_roster: {} } };

  test('is made anew by a passkey, and has to be saved', async () => {
    const on = page(READY, kept);
    await new RenewKit(on.on, on.kits).renew(file(WALLET), PASSPHRASE, PASSPHRASE);
    expect(on.store.view).toMatchObject({ state: 'save', waiting: false });
    expect(on.erased).toEqual(['C']);
    expect(on.prf.every(isZero)).toBe(true);
    await on.kits.check(file(WALLET));
    expect(on.store.view.note).toBe('other_file');
    await on.kits.check(file(`${WALLET} under ${PASSPHRASE}`));
    expect(on.store.view.state).toBe('kit done');
    // The program is asked for the sealed share, and told nothing.
    expect(paths(on)).toEqual(['passkey', `${SHARES}/phone`]);
  });

  test('takes this wallet’s kit, and a passphrase twice', async () => {
    const on = page(READY, kept);
    const renewing = new RenewKit(on.on, on.kits);
    await renewing.renew(null, PASSPHRASE, PASSPHRASE);
    expect(on.store.view.malformed).toEqual(['kit']);
    await renewing.renew(file(WALLET), 'short', 'short');
    expect(on.store.view.malformed).toEqual(['passphrase']);
    await renewing.renew(file(WALLET), PASSPHRASE, `${PASSPHRASE}!`);
    expect(on.store.view.malformed).toEqual(['again']);
    await renewing.renew(file('another wallet'), PASSPHRASE, PASSPHRASE);
    expect(on.store.view.note).toBe('other_kit');
    expect(on.asked).toEqual([]);
  });
});
