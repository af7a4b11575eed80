import { Program } from './program';
import { Receiver } from './receiver';
import { newMerchant, type Merchant } from './story';

const ENDPOINTS = 200;
let program: Program;
let healthy: Receiver;
let hanging: Receiver;

beforeAll(async () => {
  [program, healthy, hanging] = await Promise.all([
    Program.start(),
    Receiver.start(),
    Receiver.start(),
  ]);
  hanging.answerWith(() => undefined);
});
afterAll(async () => {
  await Promise.all([healthy.close(), hanging.close()]);
  await program.discard();
});

/** One payment for each merchant; milliseconds until each first attempt arrived, for the healthy ones. */
async function firstAttempts(merchants: readonly Merchant[], watched: readonly Merchant[]) {
  const began = new Map<string, number>();
  const already = healthy.deliveries.length;
  const watchedIds = new Set(watched.map(({ id }) => id));
  for (const merchant of merchants) {
    const created = await merchant.api.post('/api/v1/payments', { amount: 1 });
    if (watchedIds.has(merchant.id)) began.set(created.json.id, Date.now());
  }
  await healthy.until((all) => all.length >= already + watched.length, 60_000);
  return healthy.deliveries
    .slice(already)
    .map(({ json, at }) => at - (began.get(json.payment.id) ?? Number.NaN));
}

test('endpoints that hang keep nothing from the healthy ones', async () => {
  const merchants = await Promise.all(
    Array.from({ length: ENDPOINTS }, (_, index) => {
      const receiver = index % 2 === 0 ? healthy : hanging;
      return newMerchant(program, { webhook_url: `${receiver.url}/${index}` });
    }),
  );
  const watched = merchants.filter((_, index) => index % 2 === 0);
  // Every healthy endpoint hears of its payment although each second one has hung for the whole time.
  const delays = await firstAttempts(merchants, watched);
  expect(delays).toHaveLength(watched.length);
  expect(delays.every((delay) => Number.isFinite(delay))).toBe(true);
  expect(hanging.deliveries.length).toBeGreaterThan(0);
  // An attempt at a hanging endpoint lasts 15 s; nobody may have waited for one.
  expect(Math.max(...delays)).toBeLessThan(15_000);
}, 120_000);
