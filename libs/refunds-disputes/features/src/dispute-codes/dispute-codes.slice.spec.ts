import { DisputedPayments, OTHER_WALLET, otherCode } from '../testing/disputed-payments';
import { accountOf } from './dispute-codes';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const shop = new DisputedPayments();
beforeAll(() => shop.start());
afterAll(() => shop.close());

type Answered = { readonly status: number; readonly json: { readonly code?: string } };
const codeOf = ({ status, json }: Answered) => [status, json.code];
const WRONG = [422, 'otp_invalid'];
const sql = <Row>(text: string, values: readonly unknown[] = []) =>
  shop.stage.runtime.readModels.query<Row>(text, values);
const rows = (account: string) =>
  sql<{ id: string; asked_ms: string; used_ms: string | null }>(
    'select id, asked_ms, used_ms from refunds_disputes.one_time_codes where account = $1 order by asked_ms',
    [account],
  );
const account = (payment_id: string, email = 'ada@example.com') =>
  accountOf(shop.stage.runtime.keyRing, payment_id, email);

describe('the mail of a code', () => {
  test('tells the code, the shop and the payment, in the language that was asked for', async () => {
    const payment_id = await shop.newPayment();
    const { status, json } = await shop.request(payment_id, ' Ada@Example.com'.trim(), { locale: 'fr' });
    expect(status).toBe(200);
    expect(json).toEqual({
      ...{ payment_id, customer_email: 'Ada@Example.com' },
      expires_at: expect.stringMatching(/Z$/) as string,
    });
    const left_ms = Date.parse(json.expires_at as string) - shop.stage.runtime.clock.now();
    expect(Math.round(left_ms / MINUTE_MS)).toBe(10);
    await shop.stage.settle();
    const [mail] = shop.mails();
    expect(mail).toMatchObject({ from_name: 'Tender', reply_to: null, language: 'fr', mode: 'test' });
    expect(mail?.subject).toBe('Votre code pour contester un paiement à ỌJÀ Fabrics');
    expect(mail?.text).toContain(payment_id);
    // On a locked screen subjects are shown.
    expect(mail?.subject).not.toMatch(/\d/);
    expect((await shop.open(payment_id, shop.toldCode(payment_id))).status).toBe(201);
  });

  test('in English by default', async () => {
    const payment_id = await shop.newPayment();
    const code = await shop.codeOf(payment_id);
    expect(code).toMatch(/^\d{6}$/);
    expect(shop.mails()[0]?.subject).toBe('Your code to dispute a payment to ỌJÀ Fabrics');
    expect(shop.mails()[0]?.text).toContain('10 minutes, once');
  });

  test('goes to the payment’s own e-mail alone (S28)', async () => {
    const payment_id = await shop.newPayment();
    const stranger = 'stranger@nowhere.example';
    expect((await shop.request(payment_id, stranger)).status).toBe(200);
    await shop.stage.settle();
    expect(shop.mails(stranger)).toEqual([]);
    expect(shop.mails().filter(({ text }) => text.includes(payment_id))).toEqual([]);
    const nameless = await shop.newPayment({ email: null });
    expect(await shop.codeOf(nameless)).toBe('');
  });

  test('goes to no customer who was erased', async () => {
    const email = 'gone@example.com';
    const payment_id = await shop.newPayment({ email });
    await shop.erase(payment_id);
    expect(await shop.codeOf(payment_id, email)).toBe('');
  });

  test('that comes late tells no code that is over', async () => {
    const payment_id = await shop.newPayment();
    await shop.stage.stepDown();
    await shop.request(payment_id);
    shop.stage.advance(11 * MINUTE_MS);
    await shop.stage.leadAgain();
    await shop.stage.settle();
    expect(shop.toldCode(payment_id)).toBe('');
  });
});

test('an unknown payment and one of the other mode are the same 404', async () => {
  const live = await shop.newPayment({ mode: 'live' });
  const unknown = `pay_test_${'0'.repeat(22)}`;
  const answers = [await shop.request(unknown), await shop.request(live)];
  answers.push(await shop.open(unknown, '123456'), await shop.open(live, '123456'));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});

test('three requests an hour for one payment and e-mail, from whatever addresses (specification §2.10)', async () => {
  const payment_id = await shop.newPayment();
  for (const email of ['ada@example.com', 'nobody@nowhere.example']) {
    const asked = [];
    for (let host = 1; host <= 4; host += 1) {
      asked.push(await shop.request(payment_id, email, {}, { client_address: `192.0.2.${host}` }));
    }
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    const { json, headers } = asked[3] as (typeof asked)[number];
    expect(json.code).toBe('rate_limit_exceeded');
    expect(Number(headers['retry-after'])).toBeGreaterThan(59 * 60);
  }
  expect((await shop.request(payment_id, 'third@example.com')).status).toBe(200);
  expect((await shop.request(await shop.newPayment())).status).toBe(200);
});

describe('a code that is wrong (S28)', () => {
  test('of another payment of the same customer', async () => {
    const [one, two] = [await shop.newPayment(), await shop.newPayment()];
    const [of_one, of_two] = [await shop.codeOf(one), await shop.codeOf(two)];
    const expected = of_one === of_two ? [201, undefined] : WRONG;
    expect(codeOf(await shop.open(one, of_two))).toEqual(expected);
    expect((await shop.open(two, of_two)).status).toBe(201);
  });

  test('of another e-mail than that of the payment, guessed as it is', async () => {
    const payment_id = await shop.newPayment();
    const customer_email = 'guesser@nowhere.example';
    await shop.request(payment_id, customer_email);
    const [asked] = await rows(account(payment_id, customer_email));
    const { keyRing } = shop.stage.runtime;
    const bytes = keyRing.dayBytes(Number(asked?.asked_ms), `dispute|${asked?.id}`);
    const lucky = String(bytes.readBigUInt64BE() % 1_000_000n).padStart(6, '0');
    expect(codeOf(await shop.open(payment_id, lucky, { customer_email }))).toEqual(WRONG);
  });

  test('where the payment knows no e-mail, whatever is sent', async () => {
    const payment_id = await shop.newPayment({ email: null });
    await shop.request(payment_id);
    expect(codeOf(await shop.open(payment_id, '000000'))).toEqual(WRONG);
  });

  test('used before: its dispute is the only one (replay)', async () => {
    const { payment_id, code } = await shop.newDispute();
    expect(codeOf(await shop.open(payment_id, code))).toEqual(WRONG);
  });

  test('late: ten minutes after it was asked for', async () => {
    const payment_id = await shop.newPayment();
    const code = await shop.codeOf(payment_id);
    shop.stage.advance(10 * MINUTE_MS);
    expect(codeOf(await shop.open(payment_id, code))).toEqual(WRONG);
    shop.stage.advance(HOUR_MS);
  });

  test('guessed: five tries, and the sixth is 429, with the right one too', async () => {
    const payment_id = await shop.newPayment();
    const code = await shop.codeOf(payment_id);
    for (let by = 1; by <= 5; by += 1) {
      expect(codeOf(await shop.open(payment_id, otherCode(code, by)))).toEqual(WRONG);
    }
    const { status, json, headers } = await shop.open(payment_id, code);
    expect([status, json.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(14 * 60);
    // Of another e-mail they are counted for themselves.
    expect(codeOf(await shop.open(payment_id, code, { customer_email: 'b@example.com' }))).toEqual(WRONG);
  });

  test('fifty guesses at once are no more than five', async () => {
    const payment_id = await shop.newPayment();
    const code = await shop.codeOf(payment_id);
    const guess = (by: number) => shop.open(payment_id, otherCode(code, by));
    const tries = Array.from({ length: 50 }, (_, at) => guess(at + 1));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 422)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(45);
  });
});

describe('a code is used up with its dispute, and with nothing else (S28, M20)', () => {
  test('of 100 uses at once exactly one opens a dispute', async () => {
    const payment_id = await shop.newPayment();
    const code = await shop.codeOf(payment_id);
    const uses = await Promise.all(Array.from({ length: 100 }, () => shop.open(payment_id, code)));
    const opened = uses.filter(({ status }) => status === 201);
    expect(opened).toHaveLength(1);
    const others = uses.filter(({ status }) => status !== 201).map(codeOf);
    for (const other of others) {
      expect([WRONG, [429, 'rate_limit_exceeded']]).toContainEqual(other);
    }
    const events = await shop.stage.runtime.eventStore.load(`case.test-${payment_id}`);
    expect(events.map(({ type }) => type)).toEqual(['DisputeOpened']);
  });

  test('what is refused for another reason leaves it good', async () => {
    const payment_id = await shop.newPayment({ payment: { status: 'pending' } });
    const code = await shop.codeOf(payment_id);
    expect(codeOf(await shop.open(payment_id, code))).toEqual([409, 'payment_not_disputable']);
    shop.change(payment_id, { status: 'confirmed' });
    const customer_wallet = OTHER_WALLET;
    expect(codeOf(await shop.open(payment_id, code, { customer_wallet }))).toEqual([409, 'wallet_mismatch']);
    expect((await shop.open(payment_id, code)).status).toBe(201);
  });

  test('where its row cannot be marked the dispute is open all the same, and the code is used', async () => {
    const payment_id = await shop.newPayment();
    const code = await shop.codeOf(payment_id);
    const { readModels } = shop.stage.runtime;
    const query = readModels.query.bind(readModels);
    // As where the process dies between the append and the row.
    const dies = jest.spyOn(readModels, 'query').mockImplementation((text: string, values) => {
      if (/update refunds_disputes\.one_time_codes set used_ms/.test(text)) throw new Error('gone');
      return query(text, values) as never;
    });
    const same = { command_id: 'the request', id_seed: 'ab'.repeat(16) };
    const first = await shop.open(payment_id, code, {}, same);
    dies.mockRestore();
    expect(first.status).toBe(201);
    expect((await rows(account(payment_id)))[0]?.used_ms).toBeNull();
    const repeat = await shop.open(payment_id, code, {}, same);
    expect([repeat.status, repeat.text]).toEqual([201, first.text]);
    expect(repeat.headers['idempotency-replayed']).toBe('true');
    expect(codeOf(await shop.open(payment_id, code))).toEqual(WRONG);
    expect((await rows(account(payment_id)))[0]?.used_ms).not.toBeNull();
  });

  test('the same request again is the same dispute, also when its code is used and over', async () => {
    const payment_id = await shop.newPayment();
    const code = await shop.codeOf(payment_id);
    const same = { command_id: 'another request', id_seed: 'cd'.repeat(16) };
    const first = await shop.open(payment_id, code, {}, same);
    shop.stage.advance(30 * MINUTE_MS);
    const repeat = await shop.open(payment_id, code, {}, same);
    expect([repeat.status, repeat.text]).toEqual([201, first.text]);
    const other = await shop.open(payment_id, code, {}, { ...same, body_hash: 'another body' });
    expect(codeOf(other)).toEqual([409, 'idempotency_key_reused']);
  });
});

describe('nothing tells a stranger anything (S29)', () => {
  const seen = async (payment_id: string, customer_email: string) => {
    const answers = [await shop.request(payment_id, customer_email)];
    for (let wrong = 0; wrong < 6; wrong += 1) {
      answers.push(await shop.open(payment_id, '000000', { customer_email }));
    }
    for (let more = 0; more < 3; more += 1) {
      answers.push(await shop.request(payment_id, customer_email));
    }
    return answers.map(({ status, headers, text }) => [
      status,
      Object.keys(headers).sort().join(),
      text
        .replaceAll(customer_email, '…')
        .replaceAll(payment_id, 'the payment')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
        .replaceAll(/\d+ s|\d{3,}/g, 'n'),
    ]);
  };

  test('the same answers, whether or not the payment knows the e-mail, is confirmed or disputed', async () => {
    const known = await seen(await shop.newPayment(), 'ada@example.com');
    expect(known.map(([status]) => status)).toEqual([
      ...[200, 422, 422, 422, 422, 422, 429, 200, 200, 429],
    ]);
    const { payment_id } = await shop.newDispute();
    const others = [
      await seen(await shop.newPayment(), 'stranger@nowhere.example'),
      await seen(await shop.newPayment({ email: null }), 'ada@example.com'),
      await seen(await shop.newPayment({ payment: { status: 'pending' } }), 'ada@example.com'),
      await seen(payment_id, 'stranger@nowhere.example'),
    ];
    for (const other of others) expect(other).toEqual(known);
  });

  test('a wrong wallet is not told of before the code is right', async () => {
    const payment_id = await shop.newPayment();
    const code = await shop.codeOf(payment_id);
    const customer_wallet = OTHER_WALLET;
    const wrong = await shop.open(payment_id, otherCode(code), { customer_wallet });
    expect(codeOf(wrong)).toEqual(WRONG);
  });

  test('the same work: the same statements and questions, whether or not it knows the e-mail', async () => {
    const { readModels, eventStore, calls, keyRing } = shop.stage.runtime;
    const did = async (work: () => Promise<unknown>): Promise<string[]> => {
      const done: string[] = [];
      const note = (text: string) => void done.push(text.replaceAll(/\s+/g, ' ').trim());
      const spies = [
        jest.spyOn(readModels, 'query'),
        jest.spyOn(readModels, 'transaction'),
        jest.spyOn(eventStore, 'load'),
        jest.spyOn(keyRing, 'openPersonal'),
        jest.spyOn(calls, 'ask'),
      ];
      await work();
      for (const spy of spies) {
        for (const [first] of spy.mock.calls as unknown[][]) {
          note(`${spy.getMockName()} ${typeof first === 'string' ? first.replace(/^case\..*/, 'the case') : 'another'}`);
        }
        spy.mockRestore();
      }
      return done;
    };
    await shop.stage.stepDown();
    const payment_id = await shop.newPayment();
    const strange = { customer_email: 'other@nowhere.example' };
    const asked = await did(() => shop.request(payment_id));
    expect(asked.length).toBeGreaterThan(1);
    expect(await did(() => shop.request(payment_id, strange.customer_email))).toEqual(asked);
    const nameless = await shop.newPayment({ email: null });
    expect(await did(() => shop.request(nameless))).toEqual(asked);
    const tried = await did(() => shop.open(payment_id, '000000'));
    expect(tried.length).toBeGreaterThan(2);
    expect(await did(() => shop.open(payment_id, '000000', strange))).toEqual(tried);
    expect(await did(() => shop.open(nameless, '000000'))).toEqual(tried);
    await shop.stage.leadAgain();
    await shop.stage.settle();
  });
});

describe('what is kept', () => {
  test('no code and no address is in a table, an event or a log line (S28, S54)', async () => {
    const email = 'only.here@example.com';
    const { payment_id, code } = await shop.newDispute(
      { email },
      { description: 'Unrepeatable words', evidence: { photo: 'unrepeatable-evidence' } },
    );
    const unused = await shop.newPayment({ email });
    const waiting = await shop.codeOf(unused, email);
    await shop.open(unused, otherCode(waiting), { customer_email: email });
    const tables = await sql<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['refunds_disputes.one_time_codes', 'refunds_disputes.mails']),
    );
    const kept = [
      JSON.stringify(await shop.stage.runtime.eventStore.load(`case.test-${payment_id}`)),
      ...shop.log_lines,
    ];
    for (const { name } of tables) {
      const [all] = await sql<{ text: string | null }>(
        `select string_agg(row::text, ' ') as text from (select * from ${name}) row`,
      );
      kept.push(all?.text ?? '');
    }
    expect(kept.some((text) => text.includes('DisputeOpened'))).toBe(true);
    for (const text of kept) {
      // Digits of times and ids: a code stands alone.
      for (const digits of [code, waiting]) {
        expect(text).not.toMatch(new RegExp(`(?<![0-9a-zA-Z-])${digits}(?![0-9a-zA-Z-])`));
      }
      expect(text).not.toMatch(/only\.here|unrepeatable/i);
    }
  });
});
