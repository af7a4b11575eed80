import { hash, randomUUID } from 'node:crypto';
import { postgresReadModels, type PostgresReadModels } from '@tender/adapter-postgres';
import type { Delays, Sql } from '@tender/eventing';
import { silentLog, startTestPostgres, type TestPostgres } from '@tender/adapter-postgres/testing';
import { gatewayTables } from './gateway-tables';
import { storedAnswers, type StoredAnswersOptions } from './idempotency/stored-answer.record';
import { Limiter } from './limits/limiter';
import { FORGET_EVERY, storedLimitBlocks } from './limits/limit-block.record';
import { edgeOptionsOf, EdgeStage } from './testing/edge-stage';

const DAY_MS = 24 * 60 * 60 * 1000;

let server: TestPostgres;
let readModels: PostgresReadModels;

beforeAll(async () => {
  server = await startTestPostgres();
  readModels = postgresReadModels({
    connectionString: await server.database(),
    schemas: [gatewayTables.schema],
    migrations: gatewayTables.migrations,
    log: silentLog,
    pool_max: 8,
  });
  await readModels.start();
});
afterAll(async () => {
  await readModels.close();
  await server.stop();
});

describe('gateway.limit_blocks', () => {
  const limiterNamed = (gateway: string) =>
    new Limiter({
      clock: { wall: () => Date.now() },
      gateway,
      refuses: true,
      blocks: storedLimitBlocks(readModels),
    });

  it('two gateways at once never admit more than the limit together', async () => {
    const bucket = randomUUID();
    const gateways = [limiterNamed('a'), limiterNamed('b')];
    const verdicts = await Promise.all(
      Array.from({ length: 400 }, (_, at) => (gateways[at % 2] as Limiter).admit(bucket, 50)),
    );
    expect(verdicts.filter(({ admitted }) => admitted)).toHaveLength(50);
  });

  it('what a killed gateway held counts whole for the next one', async () => {
    const bucket = randomUUID();
    await limiterNamed('killed').admit(bucket, 50);
    const next = limiterNamed('next');
    let admitted = 0;
    while ((await next.admit(bucket, 50)).admitted) admitted += 1;
    expect(admitted).toBe(40);
  });

  it('a bucket is forgotten once its holdings have ended, and no other one', async () => {
    const [ended, counts] = [randomUUID(), randomUUID()];
    for (const bucket of [ended, counts]) await limiterNamed('a').admit(bucket, 50);
    await readModels.query(
      `update gateway.limit_blocks set holdings = jsonb_set(holdings, '{a,counts_until}', '1') where bucket = $1`,
      [ended],
    );
    const blocks = storedLimitBlocks(readModels);
    const request = { bucket: randomUUID(), gateway: 'b', used: 0, wanted: 1, limit: 1, lease_ms: 1000 };
    for (let at = 0; at < FORGET_EVERY; at += 1) await blocks.buy(request);
    const left = async () => {
      const rows = await readModels.query<{ bucket: string }>(
        'select bucket from gateway.limit_blocks where bucket = any($1)',
        [[ended, counts]],
      );
      return rows.map(({ bucket }) => bucket);
    };
    expect(await left()).toEqual([counts]);
  });

  it('a holding falls out of the row when it has ended', async () => {
    const bucket = randomUUID();
    await limiterNamed('killed').admit(bucket, 50);
    await readModels.query(
      `update gateway.limit_blocks
       set holdings = jsonb_set(holdings, '{killed,counts_until}', to_jsonb(1)) where bucket = $1`,
      [bucket],
    );
    const next = limiterNamed('next');
    let admitted = 0;
    while ((await next.admit(bucket, 50)).admitted) admitted += 1;
    expect(admitted).toBe(50);
    const [row] = await readModels.query<{ holdings: object }>(
      'select holdings from gateway.limit_blocks where bucket = $1',
      [bucket],
    );
    expect(Object.keys(row?.holdings ?? {})).toEqual(['next']);
  });

  it('a renewal gives back what is no longer used', async () => {
    const bucket = randomUUID();
    const blocks = storedLimitBlocks(readModels);
    const ask = { bucket, limit: 50, lease_ms: 1000 };
    await blocks.buy({ ...ask, gateway: 'a', used: 40, wanted: 50 });
    expect(await blocks.buy({ ...ask, gateway: 'b', used: 0, wanted: 10 })).toMatchObject({ units: 0, others: 50 });
    expect(await blocks.buy({ ...ask, gateway: 'a', used: 5, wanted: 15 })).toMatchObject({ units: 15, others: 0 });
    expect(await blocks.buy({ ...ask, gateway: 'b', used: 0, wanted: 50 })).toMatchObject({ units: 35, others: 15 });
  });
});

const newScope = (): string => hash('sha256', randomUUID());

describe('gateway.stored_answers', () => {
  const answersAt = (now: () => number, more: Partial<StoredAnswersOptions> = {}) => {
    const { runtime, delays } = edgeOptionsOf(new EdgeStage());
    const { keyRing } = runtime;
    const own = { sql: readModels, keyRing, log: silentLog, now, delays, alone: false };
    return storedAnswers({ ...own, lifetime_ms: DAY_MS, ...more });
  };
  const answeredAt5 = () => ({
    ...{ scope: newScope(), generation: 0, fingerprint: 'f0', answered_at: 5 },
    answer: { status: 200, content_type: 'x', ignored_fields: null, body: '{}' },
  });

  it('keeps, finds, replaces by generation and forgets', async () => {
    const clock = { ms: 1_700_000_000_000 };
    const fresh = () => answersAt(() => clock.ms);
    const answer = { status: 200, content_type: 'application/json', ignored_fields: null, body: '{"é":1}' };
    const kept = { scope: newScope(), generation: 0, fingerprint: 'f0', answered_at: clock.ms, answer };
    const first = fresh();
    first.keep(kept);
    expect(await first.find(kept.scope)).toEqual(kept);
    await first.idle();
    expect(await fresh().find(kept.scope)).toEqual(kept);
    expect(await fresh().find(newScope())).toBeNull();

    clock.ms += DAY_MS;
    expect(await fresh().find(kept.scope)).toMatchObject({ generation: 0, answer: null });
    const second = fresh();
    second.keep({ ...kept, generation: 1, answered_at: clock.ms });
    second.keep({ ...kept, scope: newScope(), answered_at: clock.ms });
    await second.idle();
    expect(await fresh().find(kept.scope)).toMatchObject({ generation: 1, answer });
    const late = fresh();
    late.keep(kept);
    await late.idle();
    expect(await fresh().find(kept.scope)).toMatchObject({ generation: 1, answer });

    clock.ms += DAY_MS;
    const third = fresh();
    third.keep({ ...kept, scope: newScope(), answered_at: clock.ms });
    await third.idle();
    const [row] = await readModels.query<{ sealed: string | null }>(
      "select sealed from gateway.stored_answers where scope = decode($1, 'hex')",
      [kept.scope],
    );
    expect(row).toEqual({ sealed: null });
  });

  it('an answer is found while it is being written, and what is kept meanwhile is written next', async () => {
    const [began, allowed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const sql: Sql = {
      async query<Row>(text: string, values: readonly unknown[] = []) {
        if (text.startsWith('insert')) {
          began.resolve();
          await allowed.promise;
        }
        return readModels.query<Row>(text, values);
      },
    };
    const [first, second] = [answeredAt5(), answeredAt5()];
    const answers = answersAt(() => 5, { sql });
    answers.keep(first);
    await began.promise;
    answers.keep(second);
    expect(await answers.find(first.scope)).toEqual(first);
    expect(await answers.find(second.scope)).toEqual(second);
    allowed.resolve();
    await answers.idle();
    const later = answersAt(() => 5);
    const found = await Promise.all([first, second].map(({ scope }) => later.find(scope)));
    expect(found).toEqual([first, second]);
  });

  it.each([0, 1, 2, 3, 4, 5])('what is kept %i microtasks after the last wait of a write is written', async (turns) => {
    const late = answeredAt5();
    let is_kept = false;
    const after: Delays['after'] = (_, work) => {
      work();
      const keepAfter = (left: number): void => {
        if (left > 0) return queueMicrotask(() => keepAfter(left - 1));
        if (!is_kept) answers.keep(late);
        is_kept = true;
      };
      keepAfter(turns);
      return () => undefined;
    };
    const answers = answersAt(() => 5, { delays: { after } });
    answers.keep(answeredAt5());
    while (!is_kept) await answers.idle();
    await answers.idle();
    expect(await answersAt(() => 5).find(late.scope)).toEqual(late);
  });

  it('a gateway that is alone looks up only what it or an earlier run has kept', async () => {
    const kept = answeredAt5();
    const earlier = answersAt(() => 5, { alone: true });
    earlier.keep(kept);
    await earlier.idle();

    const asked: unknown[][] = [];
    let listed = (): void => undefined;
    const all_listed = new Promise<void>((resolve) => (listed = resolve));
    const sql: Sql = {
      async query<Row>(text: string, values: readonly unknown[] = []) {
        const rows = await readModels.query<Row>(text, values);
        if (text.includes('order by scope')) setImmediate(listed);
        else if (text.startsWith('select')) asked.push(values[0] as unknown[]);
        return rows;
      },
    };
    const next = answersAt(() => 5, { alone: true, sql });
    expect(await next.find(newScope())).toBeNull();
    expect(asked).toHaveLength(1);
    await all_listed;
    expect(await next.find(newScope())).toBeNull();
    expect(asked).toHaveLength(1);
    expect(await next.find(kept.scope)).toEqual(kept);
    const own = { ...kept, scope: newScope() };
    next.keep(own);
    await next.idle();
    expect(await next.find(own.scope)).toEqual(own);
    expect(asked).toHaveLength(3);
  });

  it('many at once share statements and get their own', async () => {
    const answers = answersAt(() => 5);
    const scopes = Array.from({ length: 1200 }, newScope);
    for (const scope of scopes) {
      const answer = { status: 200, content_type: 'x', ignored_fields: null, body: scope };
      answers.keep({ scope, generation: 0, fingerprint: 'f0', answered_at: 5, answer });
    }
    await answers.idle();
    const found = await Promise.all(scopes.map((scope) => answers.find(scope)));
    expect(found.map((one) => one?.answer?.body)).toEqual(scopes);
  });
});
