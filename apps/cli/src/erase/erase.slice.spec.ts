import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileKeyRing, systemClock } from '@tender/adapter-system';
import { postgresSubjectKeys } from '@tender/adapter-postgres';
import { customerSubject } from '@tender/eventing';
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
  expect((await stage.tender('ops replay payment-details --yes')).code).toBe(0);
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
  expect((await stage.tender('ops replay payment-details --yes')).code).toBe(0);
  expect(await stage.readModels.query(rows)).toEqual(money);
  expect(await read(tested)).toBeNull();

  // Who buys again is a new subject: what was erased stays erased.
  expect(await read(await sealed('test', 'ada@example.com'))).toBe('ada@example.com');
  expect(await read(tested)).toBeNull();
});

const RECORDED = path.resolve(__dirname, '../../../../libs');
const recorded = (file: string, type: string): { readonly data: object } =>
  (JSON.parse(readFileSync(path.join(RECORDED, file), 'utf8')) as Record<string, { data: object }>)[type] ?? {
    data: {},
  };

/** Puts an event into the log, as the product has written it. */
async function record(stream: string, revision: number, type: string, data: object) {
  const category = stream.slice(0, stream.indexOf('-'));
  await stage.readModels.query(
    `insert into log.events select max(position) + 1, $1, $2, $3, gen_random_uuid(), $4, $5::json,
       json_build_object('id', gen_random_uuid(), 'recorded_at', '2026-01-01T00:00:00.000Z')
      from log.events`,
    [stream, category, revision, type, JSON.stringify(data)],
  );
}

/** A flag on a payment, whose address is sealed under that subject. */
async function flag(number: number, payment_id: string, ip: { subject_id: string; text: string }) {
  const flag_id = `flag_test_${String(number).padStart(22, '0')}`;
  const { data } = recorded('fraud/domain/src/recorded/flag-v1.json', 'FlagRaised');
  const sealed_ip = { subject_id: ip.subject_id, sealed: ip.text };
  await record(`flag.test-${flag_id}`, 0, 'FlagRaised', {
    ...data,
    ...{ flag_id, payment_id, ip: sealed_ip },
  });
}

/** A screening of a payment: the e-mail is kept as fraud finds it again. */
async function screening(payment_id: string, email: string | null, merchant = MERCHANT) {
  const ring = openRing();
  const hash = email && ring.idBytes(`fraud|email|${email}`).subarray(0, 16).toString('hex');
  ring.close();
  await stage.readModels.query(
    `insert into fraud.screenings (key, mode, merchant_id, payment_id, stage, ip_hash, email_hash,
       amount_usd_cents, score, fraud_score, action, at_ms, writer)
      values ($1, 'test', $2, $3, 'create', 'an address', $4, 1000, 25, 25, 'pass', 1, 'w')`,
    [`${payment_id}|create|`, merchant, payment_id, email && hash],
  );
}

test('what fraud has kept of the customer goes too, also from before the customer was known; scores and flags stay', async () => {
  await stage.writeLog(3);
  const ada = await sealed('test', 'ada@example.com');
  const ring = openRing();
  const payer = async (id: string) => {
    const subject_id = `payer-${id}`;
    return { subject_id, text: await ring.sealPersonal(subject_id, '192.0.2.7') };
  };
  const [before_known, strangers] = [await payer('pay_test_2'), await payer('pay_test_3')];
  ring.close();
  const info = recorded('payments/domain/src/recorded/payment-v1.json', 'CustomerInfoCollected').data;
  const { terms } = info as { terms: object };
  await record('payment.test-pay_test_2', 3, 'CustomerInfoCollected', {
    terms: { ...terms, payment_id: 'pay_test_2' },
    customer: { subject_id: ada.subject_id, email_sealed: ada.text, info_sealed: ada.text },
  });
  await flag(1, 'pay_test_1', ada);
  await flag(2, 'pay_test_2', before_known);
  await flag(3, 'pay_test_3', strangers);
  await screening('pay_test_1', 'ada@example.com');
  await screening('pay_test_2', null);
  await screening('pay_test_3', 'bob@example.com');
  await screening('elsewhere', 'ada@example.com', MERCHANT.replace('8d', '9d'));
  for (const view of ['payment-details', 'flags']) {
    expect((await stage.tender(`ops replay ${view} --yes`)).code).toBe(0);
  }
  const flags = 'select * from fraud.flags order by id';
  const money = await stage.readModels.query(flags);
  expect(money).toHaveLength(3);
  const scores = 'select key, amount_usd_cents, score from fraud.screenings order by key';
  const kept = await stage.readModels.query(scores);
  expect(await read(before_known)).toBe('192.0.2.7');

  expect((await erase('Ada@example.com')).code).toBe(0);

  expect((await stage.tender('ops replay flags --yes')).code).toBe(0);
  expect(await stage.readModels.query(flags)).toEqual(money);
  expect([await read(ada), await read(before_known), await read(strangers)]).toEqual([
    ...[null, null, '192.0.2.7'],
  ]);
  expect(await stage.readModels.query(scores)).toEqual(kept);
  const counted = await stage.readModels.query(
    `select payment_id from fraud.screenings
      where ip_hash is not null and email_hash is not null order by payment_id`,
  );
  expect(counted).toEqual([{ payment_id: 'elsewhere' }, { payment_id: 'pay_test_3' }]);
  const [stripped] = await stage.readModels.query<{ rows: number }>(
    'select count(*)::int as rows from fraud.screenings where ip_hash is null and email_hash is null',
  );
  expect(stripped).toEqual({ rows: 2 });
  expect((await erase('ada@example.com')).complaints.join('')).toContain('Nothing is kept');
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
