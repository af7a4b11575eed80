import { Program } from './program';
import { newMerchant } from './story';

let program: Program;
beforeAll(async () => {
  program = await Program.start();
});
afterAll(() => program.discard());

test('a reader that follows the cursor skips nothing under 16 writers', async () => {
  const merchant = await newMerchant(program);
  const created = new Set<string>();
  let writing = true;
  const writers = Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let count = 0; count < 25; count += 1) {
        const payment = await merchant.api.post('/api/v1/payments', { amount: 1 });
        expect(payment.status).toBe(200);
        created.add(payment.json.id);
      }
    }),
  ).finally(() => (writing = false));

  const seen: string[] = [];
  let cursor = '';
  let idle = 0;
  while (writing || idle < 10) {
    const page = await merchant.api.get(
      `/api/v1/events?limit=7${cursor && `&after=${encodeURIComponent(cursor)}`}`,
    );
    expect(page.status).toBe(200);
    for (const { event } of page.json.data) seen.push(event.payment.id);
    cursor = page.json.next_cursor ?? cursor;
    if (page.json.data.length > 0) idle = 0;
    else {
      if (!writing) idle += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  await writers;
  expect(new Set(seen)).toEqual(created);
  expect(seen).toHaveLength(created.size);
}, 120_000);

test('the event log answers the bytes that were posted, and refuses a cursor it never gave', async () => {
  const merchant = await newMerchant(program);
  await merchant.api.post('/api/v1/payments', { amount: 1 });
  const page = await merchant.api.get('/api/v1/events');
  expect(page.json.has_more).toBe(false);
  const bad = await merchant.api.get('/api/v1/events?after=nonsense');
  expect([bad.status, bad.json.code]).toEqual([400, 'invalid_parameter']);
});
