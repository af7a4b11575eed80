/**
 * @landing embedded
 * @runs embedded
 * @needs chromium
 */
import { eventually } from '../harness/eventually';
import { newMerchant, type Merchant } from '../harness/merchants';
import { Person } from '../harness/person';
import { sharedProgram } from '../harness/running-program';
import { Owners, type Owner } from './browser/owners';

const API = '/api/v1';
const WALLET = `${API}/merchants/me/operating-wallet`;
/** What the page that has opened the approval page is sent. */
interface HandedBack {
  readonly type: string;
  readonly passkey_signature: object;
}
const UNFREEZE = { type: 'unfreeze_operating_wallet' } as const;
const limitTo = (per_day_usd: number) => ({ type: 'set_operating_wallet_limits', per_day_usd }) as const;

const program = sharedProgram();
const owners = new Owners();
let merchant: Merchant;
/** Who asks for set-up links: the key of a program is not enough for the first passkey. */
let person: Person;
/** The person at the device with the first signing passkey. */
let owner: Owner;

beforeAll(async () => {
  await owners.open();
  merchant = await newMerchant(program);
  await eventually(() => merchant.api.get(`${API}/merchants/me/wallet`), ({ json }) => json.operating_wallet_address);
  person = await Person.signIn(program, merchant.email);
  owner = await withPasskey();
});
afterAll(async () => {
  await owners.close();
  expect(owners.faults).toEqual([]);
});

/** A person with a device that has a new signing passkey. */
async function withPasskey(): Promise<Owner> {
  const { json } = await person.post(`${API}/merchants/me/passkey-setup`);
  const arrived = await owners.arrives();
  await (await arrived.opens(json.passkey_setup_url as string)).at('welcome');
  await (await arrived.press('Make a passkey')).at('passkey done');
  return arrived;
}
async function challengeFor(operation: object): Promise<string> {
  const { status, json, text } = await merchant.api.post(`${API}/passkey-challenges`, { operation });
  if (status !== 201) throw new Error(`no challenge: ${status} ${text}`);
  return json.approval_url as string;
}
async function proofShown({ page }: Owner): Promise<object> {
  return JSON.parse((await page.locator('.code').textContent()) ?? '') as object;
}
/** What a person allows who opens the link and presses. */
async function allowed(operation: object, by = owner): Promise<object> {
  await (await by.opens(await challengeFor(operation))).at('asked');
  await (await by.press('Approve with passkey')).at('approved');
  return proofShown(by);
}
const freeze = () => merchant.api.post(`${WALLET}/freeze`, { reason: 'a key was stolen' });
const unfreeze = (passkey_signature: object) => merchant.api.post(`${WALLET}/unfreeze`, { passkey_signature });

test('S5: an API key that was stolen makes no passkey that could unfreeze a wallet', async () => {
  const stolen = await newMerchant(program);
  const { status, json } = await stolen.api.post(`${API}/merchants/me/passkey-setup`, {});
  expect(status).toBe(201);
  const thief = await owners.arrives();
  await (await thief.opens(json.passkey_setup_url as string)).at('by key');
  expect(await thief.page.getByRole('button').count()).toBe(0);
  const token = new URL(json.passkey_setup_url as string).hash.slice(1);
  const body = { merchant_id: stolen.id, email: stolen.email, display_name: 'Corner Shop' };
  const begun = await program.client(token).post(`${API}/webauthn/register/start`, body);
  expect([begun.status, begun.json.code]).toEqual([403, 'passkey_setup_by_key']);
  await thief.context.close();
});

test('a frozen wallet goes on once its owner has approved that in a browser, and not before', async () => {
  expect((await freeze()).json).toMatchObject({ frozen: true, frozen_by_signers: ['A', 'B'] });
  expect((await merchant.api.get(`${API}/merchants/me/wallet`)).json.operating_wallet_frozen).toBe(true);
  const proof = await allowed(UNFREEZE);
  // The signers hear of a new passkey a little later.
  const done = await eventually(() => unfreeze(proof), ({ json }) => json.code !== 'passkey_required');
  expect([done.status, done.json.frozen]).toEqual([200, false]);
  await freeze();
  expect((await unfreeze(proof)).json.code).toBe('passkey_challenge_consumed');
  expect((await unfreeze(await allowed(UNFREEZE))).status).toBe(200);
});

test('the page says what is allowed, and no other amount comes of it', async () => {
  const { json } = await merchant.api.get(`${API}/merchants/me/wallet`);
  await (await owner.opens(await challengeFor(limitTo(250.5)))).at('asked');
  const text = await owner.page.locator('main').innerText();
  for (const shown of ['250.50', 'Test', json.operating_wallet_address, merchant.id]) expect(text).toContain(shown);
  await (await owner.press('Approve with passkey')).at('approved');
  const passkey_signature = await proofShown(owner);
  const set = (per_day_usd: number) => merchant.api.put(`${WALLET}/limits`, { per_day_usd, passkey_signature });
  expect((await set(2_505)).json.code).toBe('passkey_operation_mismatch');
  expect((await set(250.5)).json).toMatchObject({ per_day_usd: 250.5 });
  const shown = { operating_wallet_frozen: false, operating_wallet_per_day_usd: 250.5 };
  expect((await merchant.api.get(`${API}/merchants/me/wallet`)).json).toMatchObject(shown);
});

test('S35: a link that was changed on its way shows nothing that could be approved', async () => {
  const link = new URL(await challengeFor(limitTo(9_000)));
  const request = JSON.parse(Buffer.from(link.hash.slice(1), 'base64url').toString());
  request.operation.per_day_cents = 100;
  link.hash = Buffer.from(JSON.stringify(request)).toString('base64url');
  await (await owner.opens(link.href)).at('altered');
  expect(await owner.page.getByRole('button').count()).toBe(0);
});

test('a page of the program that has opened it is handed the proof', async () => {
  await freeze();
  await owner.page.goto(`${program.url}/healthz`);
  const link = await challengeFor(UNFREEZE);
  const [window] = await Promise.all([
    owner.page.waitForEvent('popup'),
    owner.page.evaluate((url) => {
      const told = new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data)));
      Object.assign(globalThis, { told });
      globalThis.open(url);
    }, link),
  ]);
  const there = await owner.alsoAt(window);
  await (await there.press('Approve with passkey')).at('approved');
  const said = await owner.page.evaluate(
    () => (globalThis as never as { told: Promise<HandedBack> }).told,
  );
  expect(said.type).toBe('tender.passkey-signature');
  expect((await unfreeze(said.passkey_signature)).status).toBe(200);
  await window.close();
});

test('a second device allows nothing until the first has let it in, and can then let out the first', async () => {
  const other = await withPasskey();
  const [first] = (await owner.passkeyIds()) as [string];
  const [second] = (await other.passkeyIds()) as [string];
  await freeze();
  expect((await unfreeze(await allowed(UNFREEZE, other))).json.code).toBe('passkey_unknown_credential');

  const change = async (id: string, to: 'pin' | 'unpin', by: Owner) => {
    const passkey_signature = await allowed({ type: `${to}_passkey`, passkey_id: id }, by);
    return merchant.api.post(`${API}/merchants/me/passkeys/${id}/${to}`, { passkey_signature });
  };
  expect((await change(second, 'pin', other)).json.code).toBe('passkey_unknown_credential');
  expect((await change(second, 'pin', owner)).json).toEqual({ id: second, pinned: true });
  expect((await unfreeze(await allowed(UNFREEZE, other))).status).toBe(200);

  expect((await change(first, 'unpin', other)).json).toEqual({ id: first, pinned: false });
  await freeze();
  expect((await unfreeze(await allowed(UNFREEZE))).json.code).toBe('passkey_unknown_credential');
  expect((await change(second, 'unpin', other)).json.code).toBe('passkey_last');
  expect((await unfreeze(await allowed(UNFREEZE, other))).status).toBe(200);
});
