import type { OutboundAnswer, OutboundRequest } from '@tender/eventing';
import type { Claim } from './send-deliveries/claim/claim-deliveries';
import { hexSignature } from './sign-delivery/sign-delivery';
import { Dispatcher } from './testing/dispatcher';

/** A post under way; the test lets it end. */
interface Sent extends OutboundRequest {
  readonly end: () => void;
}

let dispatcher: Dispatcher;
let sent: Sent[];
let isHeld: boolean;

const URL_A = 'http://127.0.0.1:9/a';
const URL_B = 'http://127.0.0.1:9/b';
const ANSWER: OutboundAnswer = {
  ...{ ok: true, status: 200, body: Buffer.alloc(0), body_cut: false },
  ...{ retry_after: null, duration_ms: 1 },
};

beforeEach(async () => {
  sent = [];
  isHeld = false;
  dispatcher = await Dispatcher.start({
    refusal: () => Promise.resolve(null),
    post: (request) =>
      new Promise((resolve) => {
        const end = () => resolve(ANSWER);
        sent.push({ ...request, end });
        if (!isHeld) end();
      }),
  });
});
afterEach(() => dispatcher.stop());
afterAll(() => Dispatcher.stopServer());

/** More than may be in flight; the others are claimed ahead, and nothing gets too old. */
async function sixtyWaiting(): Promise<void> {
  await plan('quick', 30);
  await dispatcher.sender.idle();
  sent = [];
  isHeld = true;
  jest.spyOn(dispatcher.runtime.clock, 'wall').mockReturnValue(dispatcher.runtime.clock.wall());
  await plan('held', 60);
  await until(async () => (await leased()) === 60);
  expect(sent).toHaveLength(4);
}

const plan = (name: string, count: number) =>
  dispatcher.plan(
    ...Array.from({ length: count }, (_, index) =>
      dispatcher.paymentEvent('m1', `pay_test_${name}_${index}`),
    ),
  );

async function letGo(): Promise<void> {
  isHeld = false;
  for (const { end } of sent) end();
  await dispatcher.sender.idle();
}

test('once the route has answered a change, every new attempt is signed with the new secret', async () => {
  await dispatcher.configure('m1', URL_A);
  await sixtyWaiting();
  const fresh = await dispatcher.configure('m1', URL_B);
  await letGo();
  expect(sent).toHaveLength(60);
  expect(sent.slice(0, 4).some(isSignedWith(fresh))).toBe(false);
  expect(sent.slice(4).every(isSignedWith(fresh))).toBe(true);
});

test('once the route has answered "off", no attempt starts', async () => {
  await dispatcher.configure('m1', URL_A);
  await sixtyWaiting();
  await dispatcher.configure('m1', null);
  await letGo();
  expect(sent).toHaveLength(4);
  expect(await statuses()).toEqual([
    { status: 'delivered', count: 34 },
    { status: 'exhausted', count: 56 },
  ]);
});

test('a change of one merchant gives back no claims of another, nor of its other mode', async () => {
  await dispatcher.configure('m1', URL_A);
  await sixtyWaiting();
  await dispatcher.configure('m2', URL_B);
  await dispatcher.configure('m1', URL_B, 'live');
  expect(await leased()).toBe(60);
  await letGo();
});

test('a sender that was claiming during the change claims again', async () => {
  await dispatcher.configure('m1', URL_A);
  const { readModels } = dispatcher.runtime;
  const transaction = readModels.transaction.bind(readModels);
  let isClaimed = false;
  let goOn!: () => void;
  const changed = new Promise<void>((resolve) => (goOn = resolve));
  jest.spyOn(readModels, 'transaction').mockImplementation(async (work) => {
    const result = await transaction(work);
    const { deliveries = [] } = (result ?? {}) as Partial<Claim>;
    if (deliveries.length === 0) return result;
    isClaimed = true;
    await changed;
    return result;
  });
  await plan('claimed', 3);
  await until(() => isClaimed);
  const fresh = await dispatcher.configure('m1', URL_B);
  goOn();
  await dispatcher.sender.idle();
  expect(sent).toHaveLength(3);
  expect(sent.every(isSignedWith(fresh))).toBe(true);
});

test('the route does not answer a change that the sender cannot see yet', async () => {
  const lagging = jest.spyOn(dispatcher.runtime.readModels, 'waitFor').mockResolvedValue(false);
  await expect(dispatcher.configure('m1', URL_A)).rejects.toThrow('far behind');
  lagging.mockRestore();
});

const isSignedWith =
  (secret: string) =>
  ({ headers, body }: Sent): boolean => {
    const [time, ...signatures] = String(headers['x-svc-signature']).split(',');
    const signed = hexSignature(secret, String(time).slice(2), String(body));
    return signatures.includes(`v1=${signed}`);
  };

async function leased(): Promise<number> {
  const rows = await dispatcher.runtime.readModels.query(
    'select from webhook_dispatcher.queued_deliveries where lease_owner is not null',
  );
  return rows.length;
}

const statuses = () =>
  dispatcher.runtime.readModels.query(
    `select status, count(*)::int as count from webhook_dispatcher.deliveries
     group by status order by status`,
  );

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10));
}
