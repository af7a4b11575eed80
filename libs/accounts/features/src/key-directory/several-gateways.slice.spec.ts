import { Unavailable, type EventStore, type ReadModels, type Runtime } from '@tender/eventing';
import { realDelays } from '@tender/adapter-postgres';
import { hashOfKey } from '../key-secret';
import { accountsStage, type AccountsStage } from '../testing/accounts-stage';
import { openKeyDirectory, type KeyDirectory } from './key-directory';

const several = { alone: false, delays: realDelays, elapsed_ms: () => performance.now() } as const;

let stage: AccountsStage;
/** Beside the stage's own gateway: one whose follower stands still, or which reaches nothing at all. */
let other: KeyDirectory;
let is_stalled = false;
let is_cut_off = false;
let go_on = (): void => undefined;
let shops = 0;

beforeAll(async () => {
  stage = await accountsStage(several);
  const { eventStore, readModels } = stage.runtime;
  const runtime: Runtime = {
    ...stage.runtime,
    eventStore: stalling(eventStore),
    readModels: cutOff(readModels),
  };
  other = openKeyDirectory(runtime, several);
});
beforeEach(() => {
  is_stalled = is_cut_off = false;
  go_on();
});
afterAll(async () => {
  go_on();
  await other?.close();
  await stage?.close();
});

function stalling(store: EventStore): EventStore {
  return {
    append: (...args) => store.append(...args),
    load: (stream) => store.load(stream),
    newest: () => store.newest(),
    isBefore: (position, than) => store.isBefore(position, than),
    follow: (options) =>
      store.follow({
        ...options,
        async onEvents(events) {
          if (is_stalled) await new Promise<void>((resolve) => (go_on = resolve));
          await options.onEvents(events);
        },
      }),
  };
}

function cutOff(readModels: ReadModels): ReadModels {
  return {
    ...readModels,
    query: (text, values) =>
      is_cut_off
        ? Promise.reject(new Unavailable('read models'))
        : readModels.query(text, values),
  };
}

const post = (path: string, body?: object, changes: object = {}) =>
  stage.send('POST', path, stage.caller(changes), body);
const holderAt = (gateway: KeyDirectory, key: string) => gateway.authenticate(hashOfKey(key));

/** A merchant whose key the other gateway has in use. */
async function shopInUse() {
  const { json } = await post('/api/v1/merchants', {
    name: 'Corner Shop',
    email: `owner${(shops += 1)}@shop.example.com`,
    business_address: '5 High Street',
  });
  const holder = await holderAt(other, json.api_key);
  const ids = { command_id: `rotation-${shops}`, id_seed: String(shops).padStart(32, '0') };
  const rotate = () =>
    post(`/api/v1/keys/${holder?.key_id}/rotate`, undefined, { merchant_id: json.id, ...ids });
  return { key: json.api_key as string, rotate };
}

/** What the other gateway says of a key after `rotating` has answered; the test also asks it before. */
async function askedAround(key: string, rotating: Promise<unknown>) {
  const seen = new Set<string>();
  let answered = false;
  void rotating.then(() => (answered = true));
  const ask = async () => {
    const is_late = answered;
    const said = await holderAt(other, key).then(
      (holder) => (holder ? 'accepted' : 'refused'),
      (error: unknown) => (error instanceof Unavailable ? 'unavailable' : 'failed'),
    );
    if (is_late) seen.add(said);
  };
  while (!answered) {
    await Promise.all(Array.from({ length: 20 }, ask));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  for (let late = 0; late < 10; late += 1) await Promise.all(Array.from({ length: 20 }, ask));
  return seen;
}

test('a gateway that follows refuses the old key, and takes the new one', async () => {
  const shop = await shopInUse();
  const rotating = shop.rotate();
  const seen = await askedAround(shop.key, rotating);
  const { status, json } = await rotating;
  expect([status, [...seen]]).toEqual([200, ['refused']]);
  expect(await holderAt(other, json.new_key)).toMatchObject({ key_id: json.new_key_id });
});

test('a gateway whose follower stands still refuses it too, by the table', async () => {
  const shop = await shopInUse();
  is_stalled = true;
  const rotating = shop.rotate();
  const seen = await askedAround(shop.key, rotating);
  const { status, json } = await rotating;
  expect(status).toBe(200);
  expect([...seen]).toEqual(['refused']);
  expect(await holderAt(other, json.new_key)).toMatchObject({ key_id: json.new_key_id });
});

test('a gateway that is cut off answers 503, not from memory', async () => {
  const shop = await shopInUse();
  expect(await holderAt(other, shop.key)).not.toBeNull();
  is_stalled = is_cut_off = true;
  const rotating = shop.rotate();
  const seen = await askedAround(shop.key, rotating);
  expect((await rotating).status).toBe(200);
  expect([...seen]).toEqual(['unavailable']);
});

test('a gateway that lacks the table alone goes on with a key in use, as the log has not taken it back', async () => {
  const shop = await shopInUse();
  is_cut_off = true;
  const accepted = async (): Promise<boolean> => {
    // Where the machine is slow, the proof may not come in time.
    const holder = await holderAt(other, shop.key).catch(() => undefined);
    return holder === undefined ? accepted() : holder !== null;
  };
  expect(await accepted()).toBe(true);
  const { status } = await shop.rotate();
  expect(status).toBe(200);
  expect(await accepted()).toBe(false);
});

test('a rotation that is not certain everywhere is 503, and its repeat waits again', async () => {
  const shop = await shopInUse();
  const { readModels } = stage.runtime;
  const waitFor = jest.spyOn(readModels, 'waitFor').mockResolvedValueOnce(false);
  const first = await shop.rotate();
  expect([first.status, first.json.code]).toEqual([503, 'service_unavailable']);
  waitFor.mockRestore();
  const again = await shop.rotate();
  expect([again.status, again.json.old_key_deactivated]).toEqual([200, true]);
  expect(await holderAt(other, shop.key)).toBeNull();
});
