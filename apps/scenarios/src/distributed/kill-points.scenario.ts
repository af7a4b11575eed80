import { check, type History } from '../checker';
import { eventually } from '../eventually';
import { FAULTY_SERVICES, Program } from '../program';
import { Receiver } from '../receiver';
import { storedEvents } from '../stored-events';
import { newMerchant, type Merchant } from '../story';
import { Load, settle } from './load';

// Where a service dies, by what it has done then, and who can die there:
// K1, K2  a command is decided, its append not sent     append.before
// K3      the append is sent, its answer not read        append.sent
// K4      the append is acknowledged, nobody is told     append.after
// K5      the relay has read, Kafka has nothing          publish.before@relay
// K6      Kafka has acknowledged, no checkpoint yet      checkpoint.before@relay
// K7      a consumer has polled and handled, no commit   checkpoint.before@consumer
// K8      Postgres has committed, no offset is           checkpoint.after@consumer
// K12     a webhook is planned, not sent                 outbound.before
// K13     a webhook is answered, not recorded            outbound.after
const WRITES = [
  ['K1, K2', 'append.before:2'],
  ['K3', 'append.sent:2'],
  ['K4', 'append.after:2'],
] as const;
const PUBLISHES = [
  ['K5', 'publish.before@relay'],
  ['K6', 'checkpoint.before@relay'],
] as const;
const CONSUMES = [
  ['K7', 'checkpoint.before@consumer:2'],
  ['K8', 'checkpoint.after@consumer:2'],
] as const;
const SENDS = [
  ['K12', 'outbound.before:2'],
  ['K13', 'outbound.after:2'],
] as const;
const DEATHS = {
  gateway: [...WRITES, ...PUBLISHES],
  payments: [...WRITES, ...PUBLISHES, ...CONSUMES],
  'chain-indexer': [...WRITES, ...PUBLISHES, ...CONSUMES],
  'webhook-dispatcher': [...CONSUMES, ...SENDS],
};

let program: Program;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.start();
  program = await Program.start(FAULTY_SERVICES);
}, 180_000);
afterAll(async () => {
  await receiver.close();
  await program.discard();
}, 60_000);

interface SignUp {
  readonly key: string;
  readonly email: string;
  answer: string | null;
}

/** What the gateway itself writes are merchants: they come as long as the load does. */
async function signUp({ key, email }: SignUp) {
  return program
    .client()
    .post('/api/v1/merchants', shop(email), { 'idempotency-key': key })
    .catch(() => null);
}

const shop = (email: string) => ({
  name: 'Corner Shop',
  email,
  business_address: '5 High Street',
  wallet_generation_method: 'external',
  wallet_address: 'So11111111111111111111111111111111111111112',
});

async function signUpUntil(over: () => boolean, name: string): Promise<SignUp[]> {
  const all: SignUp[] = [];
  while (!over()) {
    const key = `sign-up-${name}-${all.length}`;
    const email = `${key.replace(/[^a-z0-9]+/gi, '-')}@tender.test`;
    const one: SignUp = { key, email, answer: null };
    all.push(one);
    const answer = await signUp(one);
    if (answer?.status === 201) one.answer = answer.text;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  return all;
}

/** Each has one merchant, and is answered now as it was then. */
async function checkSignUps(all: readonly SignUp[]): Promise<void> {
  const ids = new Set<string>();
  for (const one of all) {
    const answer = await eventually(() => signUp(one), (given) => given?.status === 201);
    if (one.answer !== null) expect(answer?.text).toBe(one.answer);
    ids.add(answer?.json.id as string);
  }
  expect(ids.size).toBe(all.length);
  const logged = await storedEvents(program, 'merchant.all');
  for (const id of ids) {
    const created = logged.filter(({ stream, revision }) => stream.endsWith(id) && revision === 0);
    expect(created).toHaveLength(1);
  }
}

describe.each(Object.entries(DEATHS))('%s dies', (service, deaths) => {
  let merchant: Merchant;
  const history: History = { orders: [], paid: new Map() };

  beforeAll(async () => {
    merchant = await newMerchant(program, { webhook_url: receiver.url });
  });

  test.each(deaths)(
    'at %s (%s) and loses nothing, doubles nothing',
    async (_, fault) => {
      const earlier = program.news.length;
      const ended = () => program.news.slice(earlier).filter(({ type }) => type === 'ended');
      let over = false;
      const load = new Load({ merchant, history, name: fault });
      const signingUp =
        service === 'gateway' ? signUpUntil(() => over, fault) : Promise.resolve([]);
      await load.served(2);
      program.strike(service, fault);
      await eventually(async () => ended(), ({ length }) => length > 0, 60_000).finally(() => {
        over = true;
      });
      await load.served(2);
      await load.stop();
      await settle(program, merchant);
      expect(ended()[0]).toMatchObject({ name: service, how: 'SIGKILL' });
      await check(program, merchant, receiver, history);
      await checkSignUps(await signingUp);
    },
    300_000,
  );
});
