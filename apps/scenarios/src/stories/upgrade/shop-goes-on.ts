import { SoftwareAuthenticator } from '@tender/accounts-features/testing';
import { eventually } from '../../harness/eventually';
import { Person } from '../../harness/person';
import type { Program } from '../../harness/program';
import { signedWith, type Receiver } from '../../harness/receiver';
import { again, deliveriesOf, type ShopHistory } from './shop-history';

/** The same keys, sent to the program that runs now. */
export function movedTo(program: Program, history: ShopHistory): ShopHistory {
  const moved = (client: ShopHistory['api']) => program.client(client.key);
  return {
    ...history,
    api: moved(history.api),
    live: moved(history.live),
    old_key: moved(history.old_key),
    new_key: moved(history.new_key),
    keyed: history.keyed.map((request) => ({ ...request, api: moved(request.api) })),
  };
}

export async function repeatsAreAnsweredAsBefore({ keyed }: ShopHistory): Promise<void> {
  for (const request of keyed) {
    const { status, text, headers } = await again(request);
    expect([request.path, status, text]).toEqual([
      request.path,
      request.answer.status,
      request.answer.text,
    ]);
    expect(headers['idempotency-replayed']).toBe('true');
  }
}

export async function keysAreWhatTheyWere({ old_key, new_key }: ShopHistory): Promise<void> {
  expect((await old_key.get('/api/v1/keys')).status).toBe(401);
  expect((await new_key.get('/api/v1/keys')).status).toBe(200);
}

/** A person of a merchant who signed up before there were sessions signs in by a code, and then by a passkey. */
export async function ownerSignsIn(
  program: Program,
  { api }: ShopHistory,
  /** Where the program says that it is reached. */
  origin: string,
): Promise<void> {
  const { id, email } = (await api.get('/api/v1/merchants/me')).json;
  const person = await Person.signIn(program, email, () => origin);
  const asked = { merchant_id: id, email, display_name: 'Corner Shop' };
  const started = await person.post('/api/v1/webauthn/register/start', asked);
  const device = new SoftwareAuthenticator(origin);
  const credential = device.create(started.json.options);
  const { challenge_id } = started.json;
  const made = await person.post('/api/v1/webauthn/register/finish', { challenge_id, credential });
  expect([made.status, made.json.kind]).toEqual([201, 'login']);

  const { json } = await program.client().post('/api/v1/merchants/login/start', { email });
  const credential_response = device.get(json.webauthn_options);
  const body = { session_id: json.session_id, credential_response };
  const signed_in = await program.client().once().post('/api/v1/merchants/login/verify', body);
  expect([signed_in.status, signed_in.json.merchant_id]).toEqual([200, id]);
}

/** Money that comes to an operating wallet is reported, even where the release before has opened the wallet. */
export async function operatingWalletIsWatched(
  { api }: ShopHistory,
  opened_before: readonly string[],
): Promise<void> {
  const { json } = await eventually(
    () => api.get('/api/v1/merchants/me/wallet'),
    (answer) => answer.json.operating_wallet_address !== null,
  );
  const { operating_wallet_address: address } = json;
  const given = { address, token: 'USDC', amount: 3 };
  expect((await api.post('/api/v1/test_helpers/faucet', given)).status).toBe(200);
  const told = await eventually(
    () => api.get('/api/v1/receipts?reason=no_reference&limit=100'),
    (answer) => answer.json.some(({ wallet }: { wallet?: string }) => wallet === address),
  );
  expect(told.json).toContainEqual(expect.objectContaining({ wallet: address, amount: '3000000' }));
  if (opened_before.length > 0) expect(opened_before).toContain(address);
}

export async function tradeGoesOn(history: ShopHistory, receiver: Receiver): Promise<void> {
  const { api, payments, secrets } = history;
  const paid = await api.post('/api/v1/test_helpers/pay', { payment_id: payments.pending });
  expect(paid.status).toBe(200);
  const payment = await eventually(
    () => api.get(`/api/v1/payments/${payments.pending}`),
    ({ json }) => json.status === 'confirmed',
  );
  expect(payment.json.transaction_signature).toBe(paid.json.signature);
  const confirmed = () =>
    receiver
      .events('PaymentConfirmed')
      .find(({ json, path }) => path === '/ok' && json.payment.id === payments.pending);
  await receiver.until(() => confirmed() !== undefined);
  // The secret that was replaced before the upgrade goes on co-signing for its day.
  for (const secret of secrets) expect(signedWith(secret, confirmed() as never)).toBe(true);

  const deliveries = async (payment_id: string) =>
    deliveriesOf((await api.get('/api/v1/webhooks?limit=100')).json, payment_id);
  await api.post('/api/v1/test_helpers/clock/advance', { seconds: 700 });
  for (const late of [payments.failing, payments.under_way]) {
    const delivered = await eventually(
      () => deliveries(late),
      (all) => all.every(({ status }) => status === 'delivered'),
    );
    expect(delivered.length).toBeGreaterThan(0);
  }
  const [given_up] = await deliveries(payments.expired);
  expect(given_up?.status).toBe('exhausted');
  const retried = await api.post(`/api/v1/webhooks/${given_up?.id}/retry`);
  expect([retried.status, retried.json.status]).toEqual([200, 'delivered']);
}
