import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { allRoutes, type Route } from '@tender/contracts';
import { Keypair } from '@solana/web3.js';
import type { Answer, Client } from '../../harness/client';
import { eventually } from '../../harness/eventually';
import type { Program } from '../../harness/program';
import type { Receiver } from '../../harness/receiver';

const CLOCK = '/api/v1/test_helpers/clock/advance';
const PAY = '/api/v1/test_helpers/pay';

/** A request that was sent under an Idempotency-Key, and what it was answered. */
export interface KeyedRequest {
  readonly api: Client;
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly body: object | undefined;
  readonly key: string;
  readonly answer: Answer;
}

/** Everything that clients and the operator could know of a shop before its program was replaced. */
export interface ShopHistory {
  readonly api: Client;
  readonly live: Client;
  /** Rotated away, and what took its place. */
  readonly old_key: Client;
  readonly new_key: Client;
  readonly secrets: readonly [newest: string, previous: string];
  /** Ids, by what has become of them. */
  readonly payments: Readonly<Record<'expired' | 'paid' | 'pending' | 'failing' | 'under_way', string>>;
  /** How the webhook of `under_way` is met. */
  readonly last_webhook: 'hanging' | 'failing';
  readonly keyed: KeyedRequest[];
}

/** Sends the same request again. */
export function again({ api, method, path, body, key }: Omit<KeyedRequest, 'answer'>): Promise<Answer> {
  return api.send(method, path, body, { 'idempotency-key': key });
}

/**
 * A merchant's first two hours: rates, keys, a rotation, webhooks that arrive, fail, give up and hang, and
 * payments in every state. `receiver` must answer as `answersOf` says; the last delivery is at `last_webhook`.
 */
export async function tradeForTwoHours(
  program: Program,
  receiver: Receiver,
  last_webhook: 'hanging' | 'failing',
): Promise<ShopHistory> {
  const keyed: KeyedRequest[] = [];
  const ask = async (
    api: Client,
    method: 'POST' | 'PUT',
    path: string,
    body: object | undefined,
    status: number,
  ): Promise<Answer> => {
    const request = { api, method, path, body, key: randomUUID() };
    const answer = await again(request);
    if (answer.status !== status) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    keyed.push({ ...request, answer });
    return answer;
  };

  const registration = await ask(program.client(), 'POST', '/api/v1/merchants', signUp(), 201);
  const api = program.client(registration.json.api_key);
  const post = (path: string, body: object, status = 200) => ask(api, 'POST', path, body, status);
  const order = async (body: object) => (await post('/api/v1/payments', body)).json.id as string;
  const webhook = (name: string) => ({ webhook_url: `${receiver.url}/${name}` });

  // An hour and a half of retries first: answers to keyed requests are kept for a day of business time.
  const expired = await order({ amount: 1, ...webhook('dead') });
  await api.post(CLOCK, { seconds: 6000 });

  await api.put('/api/v1/test_helpers/rates', { EUR: 1.25, SOL: 160 });
  const first = await ask(api, 'PUT', '/api/v1/merchants/me/webhook', webhook('ok'), 200);
  const admin = `/admin/merchants/${registration.json.id}/keys`;
  const live_key = await ask(program.admin(), 'POST', admin, { mode: 'live', reason: 'go live' }, 201);
  const live = program.client(live_key.json.key);
  const minted = await post('/api/v1/api-keys', { mode: 'test', name: 'Till 2' }, 201);
  const rotation = `/api/v1/keys/${minted.json.id}/rotate`;
  const rotated = await ask(api, 'POST', rotation, undefined, 200);

  const paid = await order({ amount: 12.5, metadata: { 'size\\"': 'x', "' OR 1=1--": '1' } });
  await api.post(PAY, { payment_id: paid, amount: 12.499999 });
  await api.post(PAY, { payment_id: paid, token: 'USDT', amount: 1 });
  await api.post(PAY, { payment_id: paid });
  const in_sol = await order({ amount: 9.99, currency: 'EUR', token: 'SOL', description: 'é 👩‍👩‍👧‍👦' });
  await api.post(PAY, { payment_id: in_sol });
  const sold_live = await ask(live, 'POST', '/api/v1/payments', { amount: 3 }, 200);
  await program.admin().post(PAY, { payment_id: sold_live.json.id });
  // A live payment is confirmed at finality, which comes with the chain's time.
  await api.post(CLOCK, { seconds: 30 });
  for (const [client, id] of [[api, paid], [api, in_sol], [live, sold_live.json.id]] as const) {
    await eventually(() => client.get(`/api/v1/payments/${id}`), isConfirmed);
  }
  await post('/api/v1/payments', { amount: 1_000_000 }, 422);
  await post('/api/v1/payments', { amount: 0 }, 400);

  const second = await ask(api, 'PUT', '/api/v1/merchants/me/webhook', webhook('ok'), 200);
  const failing = await order({ amount: 2, ...webhook('failing') });
  await failThrice(api, failing);
  const pending = await order({
    ...{ amount: 20, currency: 'EUR', token: 'USDT' },
    customer_email: 'someone@tender.test',
  });
  const under_way = await order({ amount: 4, ...webhook(last_webhook) });
  await receiver.until((all) => all.some(({ json }) => json.payment?.id === under_way));
  if (last_webhook === 'failing') await failThrice(api, under_way);

  return {
    ...{ api, live, keyed, last_webhook },
    old_key: program.client(minted.json.key),
    new_key: program.client(rotated.json.new_key),
    secrets: [second.json.webhook_secret, first.json.webhook_secret],
    payments: { expired, paid, pending, failing, under_way },
  };
}

/** The fourth attempt is ten minutes away: until then nothing moves by itself, however long the test looks. */
async function failThrice(api: Client, payment_id: string): Promise<void> {
  for (const [attempts, seconds] of [[1, 34], [2, 134], [3, 0]] as const) {
    await eventually(
      () => api.get('/api/v1/webhooks?limit=100'),
      ({ json }) =>
        deliveriesOf(json, payment_id).every((delivery) => delivery.attempts >= attempts),
    );
    if (seconds > 0) await api.post(CLOCK, { seconds });
  }
}

const isConfirmed = ({ json }: Answer): boolean => json.status === 'confirmed';

const signUp = () => ({
  name: 'Corner Shop',
  email: `shop-${randomUUID()}@tender.test`,
  business_address: '5 High Street',
  wallet_generation_method: 'external',
  wallet_address: Keypair.generate().publicKey.toBase58(),
});

/** A delivery record names its payment as the specification does: `payment_id`. */
export const deliveriesOf = (
  deliveries: readonly { payment_id: string; status: string; attempts: number; id: string }[],
  payment_id: string,
) => deliveries.filter((delivery) => delivery.payment_id === payment_id);

/**
 * `/ok` takes everything, `/hanging` answers nothing until the test says so, the others fail. Answers how to make
 * all of them take everything from now on, what hangs included.
 */
export function answersOf(receiver: Receiver): () => void {
  const hanging: ServerResponse[] = [];
  receiver.answerWith(({ path }, response) => {
    if (path === '/hanging') return void hanging.push(response);
    response.statusCode = path === '/ok' ? 200 : 500;
    response.end();
  });
  return () => {
    receiver.answerWith((_, response) => response.end('ok'));
    for (const response of hanging) response.end('ok');
  };
}

const routes: readonly Route[] = allRoutes;
/** Contracts, probes and pages are of the program that serves them, not of its data. */
const READS = routes.filter(
  ({ method, auth, stream }) => method === 'GET' && auth !== 'open' && !stream,
);

/** Every GET of the program’s API as this shop sees it: route and object → body, without what changes with time. */
export async function everyAnswer({
  api,
  live,
  payments,
  last_webhook,
}: ShopHistory): Promise<Record<string, string>> {
  const hanging = last_webhook === 'hanging' ? payments.under_way : null;
  const answers: Record<string, string> = {};
  // An earlier release has fewer routes.
  const { paths } = (await api.get('/openapi.json')).json as { readonly paths: object };
  const served = READS.filter(({ path }) => Object.hasOwn(paths, path));
  for (const [mode, client] of [['test', api], ['live', live]] as const) {
    for (const { id, path, auth } of served) {
      if (auth === 'helper' && mode === 'live') continue;
      const objects = path.includes('{') ? Object.values(payments) : [''];
      for (const object of objects) {
        const page = path.includes('{') || !LISTS.has(id) ? '' : '?limit=100';
        const answer = await client.get(path.replace(/\{\w+\}/, object) + page);
        answers[`${mode} ${id} ${object}`] = `${answer.status} ${ofTheData(id, answer, hanging)}`;
      }
    }
  }
  return answers;
}

const LISTS = new Set(['listPayments', 'listWebhooks', 'listEvents', 'listReceipts']);

function ofTheData(id: string, answer: Answer, hanging: string | null): string {
  const { json, status } = answer;
  // A refusal names its request.
  const text = status < 400 ? answer.text : withoutFields(answer.text, 'correlation_id');
  if (id === 'listWebhooks' && hanging) return withoutAttempts(text, hanging);
  if (id === 'listKeys') return withoutFields(text, 'last_used_at');
  if (id === 'readEnvironment') {
    // The sponsor pays fees since there is one; before, the faucet was named.
    return withoutFields(JSON.stringify(json), 'now', 'rpc_url', 'ws_url', 'fee_payer');
  }
  // How far the chain was read, and when that was asked.
  if (id === 'explainPayment') return withoutFields(text, 'at', 'because', 'up_to');
  return text;
}

/** An attempt that hangs fails after a while, and the next one begins: where that is depends on when it is asked. */
const withoutAttempts = (deliveries: string, payment_id: string): string =>
  deliveries
    .split(/(?=\{"id":"wh_)/)
    .map((one) => (one.includes(`"payment_id":"${payment_id}"`) ? withoutFields(one, ...ATTEMPT) : one))
    .join('');

const ATTEMPT = [
  ...['status', 'attempts', 'last_attempt_at', 'next_retry_at'],
  ...['response_code', 'response_body'],
];

const withoutFields = (text: string, ...names: readonly string[]): string =>
  names.reduce(
    (rest, name) => rest.replaceAll(new RegExp(`"${name}":(?:"[^"]*"|null|\\d+)`, 'g'), `"${name}":"…"`),
    text,
  );

/** The answers once every event was sent, but for what hangs, and nothing moves any more. */
export async function settledAnswers(history: ShopHistory): Promise<Record<string, string>> {
  for (const client of [history.api, history.live]) {
    await eventually(
      () => client.get('/api/v1/webhooks?limit=100'),
      ({ json }) =>
        (json as { payment_id: string; status: string }[]).every(
          ({ payment_id, status }) =>
            status !== 'pending' || payment_id === history.payments.under_way,
        ),
    );
  }
  let before = '';
  return eventually(
    () => everyAnswer(history),
    (answers) => {
      const now = JSON.stringify(answers);
      // Until the chain was read past the newest payment, each look may find more of it.
      const is_settled = now === before && !now.includes('not_looked_for');
      before = now;
      return is_settled;
    },
  );
}
