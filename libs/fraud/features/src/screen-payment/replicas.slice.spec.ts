import { setTimeout as sleep } from 'node:timers/promises';
import type { ContextStage } from '@tender/runtime/testing';
import { fraudStage } from '../testing/fraud-stage';
import { newOrder } from '../testing/order';
import { Screener } from './screener';
import { valueHash } from './value-hash';

let stage: ContextStage;
let paused_ms = 0;

beforeAll(async () => {
  stage = await fraudStage();
  const { clock } = stage.runtime;
  const wall = clock.wall.bind(clock);
  clock.wall = () => wall() + paused_ms;
});
afterAll(() => stage?.close());

const pause = (ms: number) => void (paused_ms += ms);
const ASKED = { mode: 'test', correlation_id: 'x', command_id: null } as const;

test('a second replica, and one that is started again, go by what the first has seen', async () => {
  const { runtime } = stage;
  const customer = { customer_email: 'two@example.com' };
  const replicas = [new Screener(runtime), new Screener(runtime)];
  const screenAt = async (replica: Screener | undefined) => {
    const answer = await replica?.screen(newOrder(customer), ASKED);
    return answer?.ok ? answer.value.reasons : [];
  };
  for (let order = 0; order < 4; order += 1) await screenAt(replicas[order % 2]);
  for (const replica of replicas) await replica.writer.flush();
  // After a pause each reads what the others have written before it answers.
  pause(2000);
  expect(await screenAt(replicas[0])).toEqual([]);
  await replicas[0]?.writer.flush();
  pause(2000);
  expect(await screenAt(replicas[1])).toEqual(['velocity_email']);
  for (const replica of replicas) await replica.close();

  const restarted = new Screener(runtime);
  expect(await screenAt(restarted)).toEqual(['velocity_email']);
  await restarted.close();
});

test('what a replica had not written when it died is not counted; a flag of the same moment is there', async () => {
  const { runtime } = stage;
  const { readModels } = runtime;
  let is_dying = false;
  const query: typeof readModels.query = (text, values) => {
    if (!text.includes('insert into fraud.screenings')) return readModels.query(text, values);
    return is_dying ? new Promise(() => undefined) : readModels.query(text, values);
  };
  const dying = new Screener({ ...runtime, readModels: { ...readModels, query } });
  const customer = { customer_email: 'kill@example.com' };
  const screenAt = async (replica: Screener, changes: object = {}) => {
    const answer = await replica.screen(newOrder({ ...customer, ...changes }), ASKED);
    return answer.ok ? answer.value.reasons : [];
  };
  for (let order = 0; order < 4; order += 1) await screenAt(dying);
  const hash = valueHash(runtime.keyRing, 'email', customer.customer_email);
  const written = () => readModels.query('select 1 from fraud.screenings where email_hash = $1', [hash]);
  // It writes by itself, a moment later.
  while ((await written()).length < 4) await sleep(10);
  is_dying = true;
  expect(await screenAt(dying)).toEqual([]);
  const flagged = newOrder({ customer_email: 'kill+score70@tender.test' });
  await dying.screen(flagged, ASKED);
  await dying.memory.close();

  const next = new Screener(runtime);
  expect([await screenAt(next), await screenAt(next)]).toEqual([[], ['velocity_email']]);
  await next.close();
  await stage.settle();
  const flags = 'select 1 from fraud.flags where payment_id = $1';
  expect(await readModels.query(flags, [flagged.payment.id])).toHaveLength(1);
});

test('a replica that cannot read what others have screened goes by its own', async () => {
  const { runtime } = stage;
  const { readModels } = runtime;
  let is_away = false;
  const query: typeof readModels.query = (text, values) =>
    is_away ? Promise.reject(new Error('away')) : readModels.query(text, values);
  const replica = new Screener({ ...runtime, readModels: { ...readModels, query } });
  const screened = async () => {
    const customer = { customer_email: 'away@example.com', merchant_id: 'm-away' };
    const answer = await replica.screen(newOrder(customer), ASKED);
    return answer.ok ? answer.value.reasons : [];
  };
  await screened();
  is_away = true;
  pause(2000);
  for (let order = 0; order < 4; order += 1) expect(await screened()).toEqual([]);
  expect(await screened()).toEqual(['velocity_email']);
  // What it could not write it writes once the database is back.
  is_away = false;
  await replica.close();
  const restarted = new Screener(runtime);
  const order = newOrder({ customer_email: 'away@example.com' });
  expect(await restarted.screen(order, ASKED)).toMatchObject({ value: { reasons: ['velocity_email'] } });
  await restarted.close();
});
