import { hmacSeal, httpCalls, serviceClient, type ServiceClient } from '@tender/adapter-internal-http';
import { realDelays } from '@tender/adapter-postgres';
import { inProcessCalls, systemClock } from '@tender/adapter-system';
import type { Calls } from '@tender/eventing';
import { addUp, callsConformance, sumOf, whoLeads } from '@tender/eventing/testing';
import {
  startTestPostgres,
  type TestPostgres,
  TestProcess,
} from '@tender/adapter-postgres/testing';
import type { Answering, Death } from '../testing/answering-process';

const PROCESS = '../../../../runtime/src/testing/answering-process.ts';
/** Three of them die. */
const REPLICAS = 4;
const secret = 'a secret of all processes, long enough';
const asking = { mode: 'test', correlation_id: '0c6f8a52-0d0e-4e55-8f0b-6a8f1c1f2d90' } as const;

let postgres: TestPostgres;
let database: string;
let replicas: TestProcess[] = [];
let client: ServiceClient;
let calls: Calls;

/** Another replica; it listens, and leads when the one that does so now is gone. */
async function startReplica(): Promise<string> {
  const replica = new TestProcess(PROCESS, { url: database, schema: 'sums', secret });
  replicas.push(replica);
  await replica.heard(1);
  return (replica.messages[0] as Answering).url;
}

beforeAll(async () => {
  postgres = await startTestPostgres();
  database = await postgres.database();
  const urls: string[] = [];
  while (urls.length < REPLICAS) urls.push(await startReplica());
  const seal = hmacSeal({ secret, clock: systemClock() });
  client = serviceClient({ service: 'adder', urls, seal, delays: realDelays });
  calls = httpCalls({
    local: inProcessCalls(realDelays),
    leads: () => false,
    services: new Map([['adder', client]]),
    hostOf: () => 'adder',
  });
});
afterAll(async () => {
  await client.close();
  await Promise.all(replicas.map((replica) => replica.kill()));
  await postgres.stop();
});

callsConformance('between processes, of several replicas', () => calls);

async function leader(): Promise<TestProcess> {
  const { pid } = await calls.ask(whoLeads, null, asking);
  return replicas.find((replica) => replica.pid === pid) as TestProcess;
}

const added = async (command_id: string, by: number): Promise<number> => {
  const outcome = await calls.ask(addUp, { by }, { ...asking, command_id });
  return outcome.ok ? outcome.value.total : NaN;
};

test.each<Death>(['before', 'after'])(
  'the leader is killed in mid-call, %s its effect: the next one answers, and the effect is there once',
  async (death) => {
    const total = await added(`first, killed ${death}`, 1);
    const victim = await leader();
    await victim.armed(death);
    expect(await added(`killed ${death}`, 10)).toBe(total + 10);
    expect(await added(`then, killed ${death}`, 100)).toBe(total + 110);
    expect(await leader()).not.toBe(victim);
    replicas = replicas.filter((replica) => replica !== victim);
  },
);

test('what any replica may answer does not wait for the next leader', async () => {
  const victim = await leader();
  await victim.kill();
  replicas = replicas.filter((replica) => replica !== victim);
  expect(await calls.ask(sumOf, { numbers: [20, 22] }, asking)).toEqual({ sum: 42 });
});
