import { Kafka, logLevel, Partitioners, type Message } from 'kafkajs';
import { check, type History } from '../checker';
import { eventually } from '../eventually';
import { Program } from '../program';
import { Receiver } from '../receiver';
import { newMerchant, type Merchant } from '../story';
import { Load, settle } from './load';

let program: Program;
let receiver: Receiver;
let merchant: Merchant;
const history: History = { orders: [], paid: new Map() };

const TOPIC = 'test.payments.events';
const DOWN_MS = 60_000;
const sleep = (delay_ms: number) => new Promise((resolve) => setTimeout(resolve, delay_ms));

beforeAll(async () => {
  receiver = await Receiver.start();
  program = await Program.start();
  merchant = await newMerchant(program, { webhook_url: receiver.url });
}, 180_000);
afterAll(async () => {
  await receiver.close();
  await program.discard();
}, 60_000);

/** As another client of the cluster. */
const foreign = () =>
  new Kafka({ brokers: [program.running.kafka?.brokers ?? ''], logLevel: logLevel.NOTHING });

/** Everything drains, once and in order. */
async function checkAll(load: Load): Promise<void> {
  await load.served(3);
  await load.stop();
  await settle(program, merchant);
  await check(program, merchant, receiver, history);
}

/** Writes are answered with success, and what they made is there, without Kafka. */
async function tradesAsEver(load: Load, from: number): Promise<void> {
  await load.served(10);
  expect(load.outcomes.slice(from).filter((outcome) => outcome !== 200)).toEqual([]);
  for (const { answer } of history.orders.filter((order) => order.answer !== null).slice(-5)) {
    const { id, amount } = JSON.parse(answer as string) as { id: string; amount: number };
    const payment = await merchant.api.get(`/api/v1/payments/${id}`);
    expect([payment.status, payment.json.amount]).toEqual([200, amount]);
  }
}

test('while Kafka is dead for a minute writes go on, and afterwards everything drains', async () => {
  const load = new Load({ merchant, history, name: 'down' });
  await load.served(3);
  await program.let('kafka', 'kill');
  await Promise.all([sleep(DOWN_MS), tradesAsEver(load, 0)]);
  await program.let('kafka', 'start');
  await checkAll(load);
}, 300_000);

test('Kafka stops and starts in an orderly way', async () => {
  const load = new Load({ merchant, history, name: 'restarted' });
  await load.served(3);
  await program.let('kafka', 'stop');
  await program.let('kafka', 'start');
  await tradesAsEver(load, 0);
  await checkAll(load);
}, 300_000);

test('Kafka answers in fits and starts', async () => {
  const load = new Load({ merchant, history, name: 'slow' });
  for (let turn = 0; turn < 6; turn += 1) {
    await program.let('kafka', 'pause');
    await sleep(2_000);
    await program.let('kafka', 'resume');
    await sleep(500);
  }
  await tradesAsEver(load, 0);
  await checkAll(load);
}, 300_000);

test('records that a stranger repeats, from long ago and just now, change nothing', async () => {
  const load = new Load({ merchant, history, name: 'repeated' });
  await load.served(3);
  const copied = await copyAll();
  expect(copied).toBeGreaterThan(history.paid.size);
  await checkAll(load);
}, 300_000);

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
  await eventually(async () => left.size, (size) => size === 0, 60_000);
  await consumer.disconnect();
  return found;
}

test('a stranger joins the group of a consumer, takes partitions, and leaves', async () => {
  const load = new Load({ merchant, history, name: 'rebalanced' });
  const admin = foreign().admin();
  await admin.connect();
  const { groups } = await admin.listGroups();
  const ours = groups.map(({ groupId }) => groupId).filter((id) => id !== 'strangers');
  const [group = ''] = ours.filter((id) => id.startsWith('webhook'));
  expect(ours).toContain(group);
  for (let turn = 0; turn < 2; turn += 1) {
    const stranger = foreign().consumer({ groupId: group });
    let taken = 0;
    stranger.on('consumer.group_join', ({ payload }) => {
      taken = Object.values(payload.memberAssignment).flat().length;
    });
    await stranger.connect();
    await stranger.subscribe({ topics: [TOPIC] });
    // It reads and says nothing of what it has read.
    await stranger.run({ autoCommit: false, eachMessage: async () => undefined });
    await eventually(async () => taken, (count) => count > 0, 60_000);
    await load.served(3);
    await stranger.disconnect();
  }
  await admin.disconnect();
  await checkAll(load);
}, 300_000);
