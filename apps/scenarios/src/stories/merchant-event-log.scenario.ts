/** @landing embedded postgres eventstore */
import { eventually } from '../harness/eventually';
import { sharedProgram } from '../harness/running-program';
import { newMerchant } from '../harness/merchants';

const program = sharedProgram();

test('a reader that follows the cursor skips nothing under 16 writers', async () => {
  const merchant = await newMerchant(program);
  const created = new Set<string>();
  let writing = true;
  const writers = Promise.all(
    Array.from({ length: 16 }, async () => {
      const api = merchant.api.patient();
      for (let count = 0; count < 25; count += 1) {
        const payment = await api.post('/api/v1/payments', { amount: 1 });
        expect(payment.status).toBe(200);
        created.add(payment.json.id);
      }
    }),
  ).finally(() => (writing = false));

  const seen: string[] = [];
  let cursor = '';
  const read = async () => {
    const page = await merchant.api.get(
      `/api/v1/events?limit=7${cursor && `&after=${encodeURIComponent(cursor)}`}`,
    );
    expect(page.status).toBe(200);
    for (const { event } of page.json.data) seen.push(event.payment.id);
    cursor = page.json.next_cursor ?? cursor;
    return page.json.data.length as number;
  };
  while (writing) await read();
  await eventually(read, (found) => found === 0 && seen.length >= created.size);
  await writers;
  expect(new Set(seen)).toEqual(created);
  expect(seen).toHaveLength(created.size);
});

test('the event log answers the bytes that were posted, and refuses a cursor that it never gave', async () => {
  const merchant = await newMerchant(program);
  await merchant.api.post('/api/v1/payments', { amount: 1 });
  const page = await merchant.api.get('/api/v1/events');
  expect(page.json.has_more).toBe(false);
  const bad = await merchant.api.get('/api/v1/events?after=nonsense');
  expect([bad.status, bad.json.code]).toEqual([400, 'invalid_parameter']);
});
