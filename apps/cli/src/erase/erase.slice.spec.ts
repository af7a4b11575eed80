import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileKeyRing, systemClock } from '@tender/adapter-system';
import { postgresSubjectKeys } from '@tender/adapter-postgres';
import { customerSubject } from '@tender/composition';
import { OpsStage } from '../testing/ops-stage';

const MERCHANT = '8d8e8f90-9192-8394-9596-979899a0a1a2';
const stage = new OpsStage();
let data_dir: string;

beforeEach(() => {
  data_dir = mkdtempSync(path.join(tmpdir(), 'tender-erase-'));
});
afterEach(() => rmSync(data_dir, { recursive: true, force: true }));

const openRing = () =>
  fileKeyRing({
    dir: path.join(data_dir, 'keys'),
    clock: systemClock(),
    subjectKeys: postgresSubjectKeys(stage.readModels),
  });

/** What events hold of a customer, as a payment seals it. */
async function sealed(mode: 'test' | 'live', email: string) {
  const ring = openRing();
  const subject_id = customerSubject(ring, { merchant_id: MERCHANT, mode, email });
  const text = await ring.sealPersonal(subject_id, email);
  ring.close();
  return { subject_id, text };
}

/** As a process reads it that was started after the erasure. */
async function read({ subject_id, text }: { subject_id: string; text: string }) {
  const ring = openRing();
  try {
    return await ring.openPersonal(subject_id, text);
  } finally {
    ring.close();
  }
}

const erase = (email: string, more: readonly string[] = ['--yes'], merchant = MERCHANT) =>
  stage.tender(`ops erase --merchant ${merchant} --email`, [email, ...more], { DATA_DIR: data_dir });

test('an erased customer cannot be read any more, in either mode; others are read, and the money is as it was', async () => {
  await stage.writeLog(3);
  const [tested, lived, other] = [
    await sealed('test', 'ada@example.com'),
    await sealed('live', 'ada@example.com'),
    await sealed('test', 'bob@example.com'),
  ];
  expect(await read(tested)).toBe('ada@example.com');
  expect((await stage.tender('ops replay payment-details')).code).toBe(0);
  const rows = 'select * from payments.payment_details order by id';
  const money = await stage.readModels.query(rows);
  expect(money).toHaveLength(3);

  const { code, said } = await erase(' Ada@Example.com ');
  expect(code).toBe(0);
  expect(JSON.parse(said.join(''))).toMatchObject({
    merchant_id: MERCHANT,
    erased: [
      { mode: 'test', subject_id: tested.subject_id },
      { mode: 'live', subject_id: lived.subject_id },
    ],
  });
  expect(said.join('').toLowerCase()).not.toContain('ada@');

  expect([await read(tested), await read(lived), await read(other)]).toEqual([
    ...[null, null, 'bob@example.com'],
  ]);
  expect((await stage.tender('ops replay payment-details')).code).toBe(0);
  expect(await stage.readModels.query(rows)).toEqual(money);
  expect(await read(tested)).toBeNull();

  // Who buys again is a new subject: what was erased stays erased.
  expect(await read(await sealed('test', 'ada@example.com'))).toBe('ada@example.com');
  expect(await read(tested)).toBeNull();
});

test('what is not kept is not erased, and says so', async () => {
  const kept = await sealed('test', 'ada@example.com');
  for (const asked of [
    await erase('nobody@example.com'),
    await erase('ada@example.com', ['--yes'], MERCHANT.replace('8d', '9d')),
  ]) {
    expect([asked.code, asked.complaints.join('')]).toEqual([
      ...[1, expect.stringMatching(/Nothing is kept of that e-mail/) as string],
    ]);
  }
  expect(await read(kept)).toBe('ada@example.com');
});

test('a person is asked; without one, --yes says that it is meant', async () => {
  const kept = await sealed('test', 'ada@example.com');
  const silent = await erase('ada@example.com', []);
  expect([silent.code, silent.complaints[0]]).toEqual([2, expect.stringContaining('--yes') as string]);
  stage.answer = 'no';
  expect((await erase('ada@example.com', [])).code).toBe(1);
  expect(await read(kept)).toBe('ada@example.com');
  stage.answer = 'erase';
  const meant = await erase('ada@example.com', []);
  expect(stage.asked.at(-1)).toContain('ada@example.com');
  expect(meant.code).toBe(0);
  expect(await read(kept)).toBeNull();
});

test('keys of no program are not made', async () => {
  const { code, complaints } = await erase('ada@example.com');
  expect([code, complaints[0]]).toEqual([1, expect.stringContaining('DATA_DIR') as string]);
  expect(readdirSync(data_dir)).toEqual([]);
});
