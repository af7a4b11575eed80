/** @landing embedded postgres eventstore */
import { eventually } from '../harness/eventually';
import { sharedProgram } from '../harness/running-program';
import { newMerchant } from '../harness/merchants';

const program = sharedProgram();

test('no request that begins after the answer is accepted with the old key', async () => {
  const merchant = await newMerchant(program);
  const keys = await merchant.api.get('/api/v1/keys');
  const id = keys.json[0].id as string;
  let answered = Number.POSITIVE_INFINITY;
  const late: number[] = [];
  const seen = new Set<number>();

  const probe = async () => {
    const began = performance.now();
    const { status } = await merchant.api.get('/api/v1/keys');
    seen.add(status);
    if (began > answered) late.push(status);
  };
  const rotation = (async () => {
    await eventually(async () => seen, (statuses) => statuses.has(200));
    const rotated = await merchant.api.post(`/api/v1/keys/${id}/rotate`);
    answered = performance.now();
    return rotated;
  })();
  for (let burst = 0; burst < 20 || answered === Number.POSITIVE_INFINITY; burst += 1) {
    await Promise.all(Array.from({ length: 50 }, probe));
  }
  const rotated = await rotation;
  await Promise.all(Array.from({ length: 20 }, probe));

  expect(rotated.status).toBe(200);
  expect(rotated.json).toMatchObject({ old_key_id: id, old_key_deactivated: true, mode: 'test' });
  expect(seen).toEqual(new Set([200, 401]));
  expect(late.length).toBeGreaterThan(0);
  expect(new Set(late)).toEqual(new Set([401]));
  const fresh = program.client(rotated.json.new_key);
  expect((await fresh.get('/api/v1/keys')).status).toBe(200);
});

test('two rotations of one key at once give one new key', async () => {
  const merchant = await newMerchant(program);
  const [{ id }] = (await merchant.api.get('/api/v1/keys')).json;
  const rotations = await Promise.all(
    Array.from({ length: 10 }, () => merchant.api.post(`/api/v1/keys/${id}/rotate`)),
  );
  expect(rotations.filter(({ status }) => status === 200)).toHaveLength(1);
});
