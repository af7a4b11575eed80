/**
 * @landing postgres
 * @runs postgres eventstore
 * @program own
 * @needs kafka-process
 */
import { kafkaClient } from '@tender/adapter-kafka';
import { AssignerProtocol, logLevel, Partitioners, type Admin, type Message } from 'kafkajs';
import { eventually } from '../harness/eventually';
import { Program } from '../harness/program';
import type { Load } from '../harness/load';
import { Trade } from '../harness/trade';

let trade: Trade;

/** A system of several on its cluster: the names of its topics and groups say whose they are. */
const NAMESPACE = 'shop-2.';
const TOPIC = `${NAMESPACE}test.payments.events`;
/** So often each consumer, and the relay that has something to publish, tries in vain before Kafka comes back. */
const TRIES = 8;
const sleep = (delay_ms: number) => new Promise((resolve) => setTimeout(resolve, delay_ms));

beforeAll(async () => {
  const kafka = { KAFKA_SOURCE: 'jars', KAFKA_NAMESPACE: NAMESPACE };
  // Each try is a line of its own.
  trade = await Trade.begin(await Program.start({ ...kafka, LOG_LEVEL: 'debug' }));
});
afterAll(() => trade.end());

/** As another client of the cluster. */
const foreign = () =>
  kafkaClient({ brokers: [trade.program.running.kafka?.brokers ?? ''], logLevel: logLevel.NOTHING });

/** Writes are answered with success, and what they made is there, without Kafka. */
async function tradesAsEver(load: Load): Promise<void> {
  await load.served(10);
  expect(load.failures).toEqual([]);
  const answered = trade.history.orders.filter(({ answer }) => answer !== null);
  for (const { answer } of answered.slice(-5)) {
    const { id, amount } = JSON.parse(answer as string) as { id: string; amount: number };
    const payment = await trade.merchant.api.get(`/api/v1/payments/${id}`);
    expect([payment.status, payment.json.amount]).toEqual([200, amount]);
  }
}

/** How often consumer and relay have logged that they try again, since the program's output was so long. */
function triesSince(from: number): ReadonlyMap<string, number> {
  const tries = new Map<string, number>();
  for (const line of trade.program.output.slice(from).split('\n')) {
    const name = /"(?:consumer|follower)":"([^"]+)".*(?:joins its group again|tries again)/.exec(line)?.[1];
    if (name) tries.set(name, (tries.get(name) ?? 0) + 1);
  }
  return tries;
}

async function consumerGroups(): Promise<readonly string[]> {
  const admin = foreign().admin();
  await admin.connect();
  const { groups } = await admin.listGroups();
  await admin.disconnect();
  return groups.map(({ groupId }) => groupId).filter((group) => group.startsWith(NAMESPACE));
}

test('while Kafka is dead for long writes go on, and afterwards everything drains', async () => {
  // Orders are served before consumers have joined their groups: those that fail have to have begun.
  await trade.recovers(trade.load('up'));
  const load = trade.load('down');
  await load.served(3);
  const groups = await consumerGroups();
  expect(groups.length).toBeGreaterThan(3);
  const from = trade.program.output.length;
  const haveTried = async () => {
    const tries = triesSince(from);
    const relay = [...tries.keys()].find((name) => name.startsWith('relay.payments')) ?? '';
    return [...groups, relay].map((name) => `${name} ${tries.get(name) ?? 0}`);
  };
  const isOften = (line: string) => Number(line.split(' ').at(-1)) >= TRIES;
  await trade.program.let('kafka', 'kill');
  try {
    await tradesAsEver(load);
    await eventually(haveTried, (lines) => lines.every(isOften));
    await tradesAsEver(load);
  } finally {
    // Whatever failed, the tests that follow have a Kafka.
    await trade.program.let('kafka', 'start');
  }
  await trade.recovers(load);
});

test('Kafka stops and starts in an orderly way', async () => {
  const load = trade.load('restarted');
  await load.served(3);
  await trade.program.let('kafka', 'stop');
  await trade.program.let('kafka', 'start');
  await tradesAsEver(load);
  await trade.recovers(load);
});

test('Kafka answers only now and then', async () => {
  const load = trade.load('slow');
  for (let turn = 0; turn < 6; turn += 1) {
    await trade.program.let('kafka', 'pause');
    await sleep(2_000);
    await trade.program.let('kafka', 'resume');
    await sleep(500);
  }
  await tradesAsEver(load);
  await trade.recovers(load);
});

test('records that a stranger repeats, from long ago and just now, change nothing', async () => {
  const load = trade.load('repeated');
  await load.served(3);
  const copied = await copyAll();
  expect(copied).toBeGreaterThan(trade.history.paid.size);
  await trade.recovers(load);
});

/** Every record of the topic again, as it is, the newest first and then all in their order. */
async function copyAll(): Promise<number> {
  const records = await readAll();
  const producer = foreign().producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  await producer.send({ topic: TOPIC, messages: [...records].reverse() });
  await producer.send({ topic: TOPIC, messages: records });
  await producer.disconnect();
  return records.length;
}

async function readAll(): Promise<Message[]> {
  const admin = foreign().admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(TOPIC);
  await admin.disconnect();
  const filled = ends.filter(({ high }) => high !== '0');
  const left = new Map(filled.map(({ partition, high }) => [partition, high]));
  const found: Message[] = [];
  const consumer = foreign().consumer({ groupId: 'strangers' });
  await consumer.connect();
  await consumer.subscribe({ topics: [TOPIC], fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ partition, message: { key, value, headers, offset } }) => {
      found.push({ key, value, partition, ...(headers ? { headers } : {}) });
      if (BigInt(offset) + 1n >= BigInt(left.get(partition) ?? 0)) left.delete(partition);
    },
  });
  await eventually(async () => left.size, (size) => size === 0);
  await consumer.disconnect();
  return found;
}

/** What the members of a group read: who takes some of it may get the partitions of any. */
async function topicsOf(admin: Admin, group: string): Promise<string[]> {
  const { groups } = await admin.describeGroups([group]);
  const joined = groups.flatMap(({ members }) => members.map((member) => member.memberMetadata));
  const { decode } = AssignerProtocol.MemberMetadata;
  const read = joined.flatMap((bytes) => (bytes.length > 0 ? (decode(bytes)?.topics ?? []) : []));
  return [...new Set(read)];
}

test('a stranger joins the group of a context, takes partitions, and leaves', async () => {
  const load = trade.load('rebalanced');
  const admin = foreign().admin();
  await admin.connect();
  const { groups } = await admin.listGroups();
  const ours = groups.map(({ groupId }) => groupId).filter((id) => id !== 'strangers');
  const group = ours.find((id) => id.endsWith('webhook-dispatcher')) ?? '';
  expect(ours).toContain(group);
  const topics = await eventually(
    () => topicsOf(admin, group),
    (read) => read.includes(TOPIC),
  );
  for (let turn = 0; turn < 2; turn += 1) {
    const stranger = foreign().consumer({ groupId: group });
    let taken = 0;
    stranger.on('consumer.group_join', ({ payload }) => {
      taken = Object.values(payload.memberAssignment).flat().length;
    });
    await stranger.connect();
    await stranger.subscribe({ topics });
    // It reads and says nothing of what it has read.
    await stranger.run({ autoCommit: false, eachMessage: async () => undefined });
    await eventually(async () => taken, (count) => count > 0);
    await load.served(3);
    await stranger.disconnect();
  }
  await admin.disconnect();
  await trade.recovers(load);
});
