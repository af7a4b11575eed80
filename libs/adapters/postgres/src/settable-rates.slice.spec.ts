import { postgresReadModels, ratesTables, settableRates } from './index';
import { silentLog } from './testing/quiet-ports';
import { startTestPostgres } from './testing/test-postgres';

test('has defaults, keeps what is set over a restart, and is always of now', async () => {
  const server = await startTestPostgres();
  const { schema, migrations } = ratesTables;
  const readModels = postgresReadModels({
    ...{ connectionString: await server.database(), schemas: [schema], migrations },
    ...{ log: silentLog, pool_max: 2 },
  });
  try {
    await readModels.start();
    const clock = { now: () => 1_767_225_600_000, wall: () => 0 };
    const rates = settableRates({ readModels, clock });
    expect(await rates.table()).toEqual({ EUR: '1.08', GBP: '1.27', SOL: '150', NGN: '0.00065' });
    await rates.set({ EUR: '1.1', SOL: '99.5' });
    const restarted = settableRates({ readModels, clock });
    expect(await restarted.table()).toMatchObject({ EUR: '1.1', GBP: '1.27', SOL: '99.5' });
    expect(await restarted.quote('SOL')).toEqual({
      ...{ rate: '99.5', source: 'embedded', as_of: '2026-01-01T00:00:00.000Z' },
    });
  } finally {
    await readModels.close();
    await server.stop();
  }
});
