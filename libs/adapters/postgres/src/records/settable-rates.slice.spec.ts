import { postgresReadModels, ratesTables, settableRates, type PostgresReadModels } from '../index';
import { silentLog } from '../testing/quiet-ports';
import { startTestPostgres, type TestPostgres } from '../testing/test-postgres';

let server: TestPostgres;
let readModels: PostgresReadModels;
const clock = { now: () => 1_767_225_600_000, wall: () => 0 };

beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());
beforeEach(async () => {
  const { schema, migrations } = ratesTables;
  readModels = postgresReadModels({
    ...{ connectionString: await server.database(), schemas: [schema], migrations },
    ...{ log: silentLog, pool_max: 2 },
  });
  await readModels.start();
});
afterEach(() => readModels.close());

test('has defaults, keeps what is set over a restart, and is always of now', async () => {
  const rates = settableRates({ readModels, clock });
  expect(await rates.table()).toEqual({ EUR: '1.08', GBP: '1.27', SOL: '150', NGN: '0.00065' });
  await rates.set({ EUR: '1.1', SOL: '99.5' });
  expect(await rates.table()).toMatchObject({ EUR: '1.1', SOL: '99.5' });
  const restarted = settableRates({ readModels, clock });
  expect(await restarted.table()).toMatchObject({ EUR: '1.1', GBP: '1.27', SOL: '99.5' });
  expect(await restarted.quote('SOL')).toEqual({
    ...{ rate: '99.5', source: 'embedded', as_of: '2026-01-01T00:00:00.000Z' },
  });
});

test('are quoted by every process once they are set, and from memory in between', async () => {
  let queries = 0;
  const counted = {
    query<Row>(text: string, values?: readonly unknown[]) {
      queries += 1;
      return readModels.query<Row>(text, values);
    },
  };
  const kept_ms = 200;
  const set = settableRates({ readModels, clock, kept_ms });
  const quoted = settableRates({ readModels: counted, clock, kept_ms });
  for (const rate of ['101', '102', '103']) {
    expect((await quoted.quote('SOL')).rate).not.toBe(rate);
    await set.set({ SOL: rate });
    const [before, began] = [queries, performance.now()];
    for (let quote = 0; quote < 50; quote += 1) expect((await quoted.quote('SOL')).rate).toBe(rate);
    const kept_out = Math.floor((performance.now() - began) / kept_ms);
    expect(queries - before).toBeLessThanOrEqual(1 + kept_out);
  }
  const alone = settableRates({ readModels: counted, clock });
  const before = queries;
  for (let quote = 0; quote < 50; quote += 1) await alone.quote('SOL');
  expect(queries - before).toBe(1);
});
