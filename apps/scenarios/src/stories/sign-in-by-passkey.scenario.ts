/**
 * @landing embedded postgres
 * @needs chromium
 */
import { eventually } from '../harness/eventually';
import { newMerchant, type Merchant } from '../harness/merchants';
import { sharedProgram } from '../harness/running-program';
import { Dashboard } from './browser/dashboard';

const program = sharedProgram();
let dashboard: Dashboard;
let owner: Merchant;
beforeAll(async () => {
  dashboard = await Dashboard.open(program.url);
});
beforeEach(async () => {
  owner = await newMerchant(program);
});
afterAll(() => dashboard?.close());

const API = '/api/v1';
const LIST = `${API}/merchants/me/passkeys`;
const listed = async () =>
  ((await dashboard.ask('GET', LIST)).json as { id: string }[]).map(({ id }) => id);

async function signInByCode(): Promise<void> {
  const { email } = owner;
  await dashboard.ask('POST', `${API}/merchants/login/email/start`, { email });
  const inbox = `${API}/test_helpers/emails?to=${encodeURIComponent(email)}`;
  const { json } = await eventually(
    () => owner.api.get(inbox),
    (answer) => /\b\d{6}\b/.test(answer.json[0]?.text ?? ''),
  );
  const [code] = /\b\d{6}\b/.exec(json[0].text as string) ?? [];
  const verified = await dashboard.ask('POST', `${API}/merchants/login/email/verify`, { email, code });
  expect(verified).toMatchObject({ status: 200, json: { merchant_id: owner.id } });
}

const startRegistration = () =>
  dashboard.ask('POST', `${API}/webauthn/register/start`, {
    ...{ merchant_id: owner.id, email: owner.email, display_name: 'Corner Shop' },
  });

async function register(name: string): Promise<string> {
  const { json } = await startRegistration();
  const { challenge_id, options } = json;
  const credential = await dashboard.create(options as object);
  const body = { challenge_id, credential, name };
  const made = await dashboard.ask('POST', `${API}/webauthn/register/finish`, body);
  expect(made).toMatchObject({ status: 201, json: { kind: 'login', name } });
  return made.json.id as string;
}

const startLogin = () =>
  dashboard.ask('POST', `${API}/merchants/login/start`, { email: owner.email });

async function signIn() {
  const { session_id, webauthn_options } = (await startLogin()).json;
  const credential_response = await dashboard.get(webauthn_options as object);
  return dashboard.ask('POST', `${API}/merchants/login/verify`, { session_id, credential_response });
}

const signOut = () => dashboard.ask('POST', `${API}/merchants/logout`);

test('a person signs in by a code, registers passkeys of two devices, and signs in by each', async () => {
  await signInByCode();
  const laptop = await register('Laptop');
  const known = (await startRegistration()).json;
  await expect(dashboard.create(known.options as object)).rejects.toThrow('InvalidStateError');
  await signOut();
  expect((await dashboard.ask('GET', LIST)).status).toBe(401);
  expect(await signIn()).toMatchObject({ status: 200, json: { merchant_id: owner.id } });

  await dashboard.takeAuthenticator();
  const phone = await register('Phone');
  await signOut();
  expect((await signIn()).status).toBe(200);
  expect(await listed()).toEqual([phone, laptop]);

  const removed = await dashboard.ask('DELETE', `${LIST}/${phone}`);
  expect(removed).toEqual({ status: 200, json: { removed: true } });
  // The session that asked was opened by it.
  expect((await dashboard.ask('GET', LIST)).status).toBe(401);
  expect((await signIn()).status).toBe(401);
});

test('S35: a person whom the device does not know again makes no passkey and is not signed in', async () => {
  await signInByCode();
  await dashboard.takeAuthenticator();
  await register('Tablet');
  await signOut();
  const { webauthn_options } = (await startLogin()).json;
  await dashboard.recognises(false);
  await expect(dashboard.get(webauthn_options as object)).rejects.toThrow('NotAllowedError');
  // A page that does not ask for it gets an answer, and the program refuses that.
  const asked = (await startLogin()).json;
  const unverified = { ...asked.webauthn_options, userVerification: 'discouraged' };
  const credential_response = await dashboard.get(unverified as object);
  const { session_id } = asked;
  const body = { session_id, credential_response };
  const refused = await dashboard.ask('POST', `${API}/merchants/login/verify`, body);
  expect(refused).toMatchObject({ status: 401, json: { code: 'authentication_failed' } });
});
