/**
 * @landing embedded
 * @program own
 */
import { idempotencyKey } from '../harness/client';
import { eventually } from '../harness/eventually';
import { Program } from '../harness/program';
import { Receiver } from '../harness/receiver';
import { newMerchant, type Merchant } from '../harness/merchants';

/** Of each kind. */
const ENDPOINTS = 100;
const HUNG_EACH = 6;
let program: Program;
let healthy: Receiver;
let hanging: Receiver;

beforeAll(async () => {
  [program, healthy, hanging] = await Promise.all([
    Program.start({}, { HANGS: '/hangs/' }),
    Receiver.start(),
    Receiver.start(),
  ]);
});
afterAll(async () => {
  await Promise.all([healthy.close(), hanging.close()]);
  // What never ends is not waited for.
  await program.kill();
  await program.discard();
});

test('endpoints that hang keep nothing from the healthy ones', async () => {
  const signUp = (path: string) =>
    Promise.all(
      Array.from({ length: ENDPOINTS }, (_, n) => newMerchant(program, { webhook_url: path + n })),
    );
  const silent = await signUp(`${hanging.url}/hangs/`);
  const answering = await signUp(`${healthy.url}/`);
  // The gateway may ask some of so many to come again; they do, as clients.
  const order = async ({ api }: Merchant): Promise<string> => {
    const key = idempotencyKey();
    const ask = () => api.post('/api/v1/payments', { amount: 1 }, key);
    return (await eventually(ask, ({ status }) => status === 200)).json.id;
  };
  for (const merchant of silent) for (let n = 0; n < HUNG_EACH; n += 1) await order(merchant);
  const paid: string[] = [];
  for (const merchant of answering) paid.push(await order(merchant));
  // No attempt at a hanging endpoint ever ends: what waited for one would never come.
  const told = () => new Set(healthy.deliveries.map(({ json }) => json.payment.id as string));
  await healthy.until(() => told().size >= paid.length);
  expect([...told()].sort()).toEqual(paid.sort());
  expect(hanging.deliveries.length).toBeGreaterThan(0);
});
