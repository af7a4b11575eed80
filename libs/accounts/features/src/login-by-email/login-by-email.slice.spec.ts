import { merchantIdOf } from '../merchant-details/merchant.aggregate';
import { Browser } from '../testing/a-browser';
import { Shops } from '../testing/shops';

const MINUTE_MS = 60_000;
const START = '/api/v1/merchants/login/email/start';
const VERIFY = '/api/v1/merchants/login/email/verify';

const shops = new Shops();
beforeAll(() => shops.start());
afterAll(() => shops.close());

const start = (email: string, more: object = {}, client_address = '192.0.2.1') =>
  shops.post(START, { email, ...more }, { client_address });
const verify = (email: string, code: string) => shops.post(VERIFY, { email, code });
const mails = (to: string) => shops.stage.runtime.mail.inbox?.list({ to }) ?? [];
const codeIn = (text: string) => /\b\d{6}\b/.exec(text)?.[0] ?? '';
const queue = () =>
  shops.stage.runtime.readModels.query<{ status: string; merchant_id: string }>(
    'select status, merchant_id from accounts.mails order by created_at, event_id',
  );
/** The code that the newest mail to that address tells. */
async function codeTo(email: string): Promise<string> {
  expect((await start(email)).status).toBe(200);
  await shops.stage.settle();
  return codeIn(mails(email)[0]?.text ?? '');
}
const other = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0');

async function newShop() {
  const shop = await shops.newShop();
  return { ...shop, email: shops.lastEmail };
}

describe('signing in by a code', () => {
  test('the mail tells the code, which opens a session', async () => {
    const shop = await newShop();
    const code = await codeTo(` ${shop.email.toUpperCase()} `.trim());
    const { status, json, headers } = await verify(shop.email, code);
    expect([status, json.merchant_id]).toEqual([200, shop.id]);
    const page = new Browser(() => shops.stage.sessions);
    page.reply().header('Set-Cookie', headers['set-cookie'] as string);
    const { session_id } = json;
    expect(await page.holder()).toMatchObject({ merchant_id: shop.id, session_id });
    const [session] = await shops.stage.sessions.list(shop.id);
    expect(session).toMatchObject({ method: 'login_code', passkey_id: null, user_agent: 'lightMyRequest' });
  });

  test('the mail is Tender’s own, in the language that was asked for', async () => {
    const { email } = await newShop();
    await start(email, { locale: 'fr' });
    await shops.stage.settle();
    const [mail] = mails(email);
    expect(mail).toMatchObject({ from_name: 'Tender', reply_to: null, language: 'fr', mode: 'all' });
    expect(mail?.subject).toBe('Votre code de connexion à Tender');
    expect(mail?.text).toContain('au tableau de bord de Corner Shop');
    expect(mail?.text).toContain('Tender vous envoie ce message.');
    // On a locked screen subjects are shown.
    expect(mail?.subject).not.toMatch(/\d/);
  });

  test('a code is used up by one success (replay)', async () => {
    const { email } = await newShop();
    const code = await codeTo(email);
    const tries = await Promise.all(Array.from({ length: 4 }, () => verify(email, code)));
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    expect((await verify(email, code)).status).toBe(401);
  });

  test('a code is over after ten minutes', async () => {
    const { email } = await newShop();
    const code = await codeTo(email);
    shops.stage.advance(10 * MINUTE_MS);
    expect((await verify(email, code)).status).toBe(401);
  });

  test('a code is good for one account, and after it another one is made', async () => {
    const [one, two] = [await newShop(), await newShop()];
    const of_one = await codeTo(one.email);
    const of_two = await codeTo(two.email);
    expect((await verify(one.email, of_two)).status).toBe(of_two === of_one ? 200 : 401);
    expect((await verify(one.email, of_one)).status).toBe(200);
    const next = await codeTo(one.email);
    expect(next).not.toBe(of_one);
    expect((await verify(one.email, next)).status).toBe(200);
  });

  test('asked for again, the code that is good is sent again, with the time that is left', async () => {
    const { email } = await newShop();
    const code = await codeTo(email);
    expect(mails(email)[0]?.text).toContain('10 minutes, once');
    shops.stage.advance(7 * MINUTE_MS);
    expect(await codeTo(email)).toBe(code);
    expect(mails(email).map(({ text }) => codeIn(text))).toEqual([code, code]);
    expect(mails(email)[0]?.text).toContain('3 minutes, once');
    // It is nearly over: it would be so before its mail is read.
    shops.stage.advance(MINUTE_MS);
    const next = await codeTo(email);
    expect(next).not.toBe(code);
    expect((await verify(email, code)).status).toBe(401);
    expect((await verify(email, next)).status).toBe(200);
  });

  test('asked for at the same moment, one code is made', async () => {
    const { email } = await newShop();
    await Promise.all(['1', '2', '3'].map((host) => start(email, {}, `192.0.2.${host}`)));
    await shops.stage.settle();
    const codes = mails(email).map(({ text }) => codeIn(text));
    const account = merchantIdOf(shops.stage.runtime.keyRing, email);
    const made = 'select id from accounts.one_time_codes where account = $1';
    expect(await shops.stage.runtime.readModels.query(made, [account])).toHaveLength(1);
    expect((await verify(email, codes[0] ?? '')).status).toBe(200);
  });

  test('a mail that comes late tells no code that is over', async () => {
    const shop = await newShop();
    await shops.stage.stepDown();
    await start(shop.email);
    await start(shop.email);
    shops.stage.advance(MINUTE_MS);
    await shops.stage.leadAgain();
    await shops.stage.settle();
    expect(new Set(mails(shop.email).map(({ text }) => codeIn(text))).size).toBe(1);
    expect(mails(shop.email)).toHaveLength(2);
    await shops.stage.stepDown();
    await start(shop.email);
    shops.stage.advance(11 * MINUTE_MS);
    await shops.stage.leadAgain();
    await shops.stage.settle();
    expect(mails(shop.email)).toHaveLength(2);
  });
});

describe('guessing (S34)', () => {
  test('after five wrong codes in 15 minutes no code is looked at, the right one neither', async () => {
    const { email } = await newShop();
    const code = await codeTo(email);
    for (let wrong = 1; wrong <= 5; wrong += 1) {
      expect((await verify(email, other(code, wrong))).status).toBe(401);
    }
    const { status, json, headers } = await verify(email, code);
    expect([status, json.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(14 * 60);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(15 * 60);
    shops.stage.advance(15 * MINUTE_MS);
    expect((await verify(email, await codeTo(email))).status).toBe(200);
  });

  test('fifty at once are no more than five', async () => {
    const { email } = await newShop();
    const code = await codeTo(email);
    const tries = Array.from({ length: 50 }, (_, at) => verify(email, other(code, at + 1)));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(45);
  });

  test('a new code gives no new tries, and a success gives all of them', async () => {
    const { email } = await newShop();
    const code = await codeTo(email);
    for (let wrong = 1; wrong <= 4; wrong += 1) await verify(email, other(code, wrong));
    const next = await codeTo(email);
    expect((await verify(email, next)).status).toBe(200);
    const third = await codeTo(email);
    for (let wrong = 1; wrong <= 5; wrong += 1) await verify(email, other(third, wrong));
    const fourth = await codeTo(email);
    expect((await verify(email, fourth)).status).toBe(429);
  });

  test('six requests an hour of one address are one too many', async () => {
    const { email } = await newShop();
    for (let asked = 0; asked < 5; asked += 1) expect((await start(email)).status).toBe(200);
    const { status, headers, json } = await start(email);
    expect([status, json.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(59 * 60);
  });

  test('a stranger who asks for codes takes none from the owner, and shuts no other address out', async () => {
    const { email } = await newShop();
    const code = await codeTo(email);
    const stranger = () => start(email, {}, '2001:db8::1').then(({ status }) => status);
    const asked = [];
    for (let at = 0; at < 6; at += 1) asked.push(await stranger());
    expect(asked).toEqual([200, 200, 200, 200, 200, 429]);
    // All addresses of one network are one client (specification §1.9).
    expect((await start(email, {}, '2001:db8::2:1')).status).toBe(429);
    expect((await start(email)).status).toBe(200);
    expect((await verify(email, code)).status).toBe(200);
    expect((await verify(email, await codeTo(email))).status).toBe(200);
  });

  test('of one code three mails are sent, from however many addresses it is asked for', async () => {
    const { email } = await newShop();
    for (let host = 1; host <= 9; host += 1) expect((await start(email, {}, `192.0.2.${host}`)).status).toBe(200);
    await shops.stage.settle();
    expect(mails(email)).toHaveLength(3);
    shops.stage.advance(10 * MINUTE_MS);
    await codeTo(email);
    expect(mails(email)).toHaveLength(4);
  });

  test('no address is kept of those who ask', async () => {
    const { email } = await newShop();
    await start(email, {}, '198.51.100.77');
    const rows = await shops.stage.runtime.readModels.query('select * from accounts.counted_tries');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain('198.51.100');
  });

  test.each(['', '12345', '1234567', '12345a', '１２３４５６', ' 123456'])('%j is no code', async (code) => {
    const { email } = await newShop();
    await start(email);
    // The gateway refuses such a body; here it comes as it is, and is wrong all the same.
    expect((await verify(email, code)).status).toBe(401);
  });
});

describe('nothing tells whether an e-mail is known (S29, enumeration)', () => {
  const unknown = 'stranger@nowhere.example';

  test('the same answers, in the same form, with the same headers', async () => {
    const { email } = await newShop();
    await codeTo(email);
    await start(unknown);
    const seen = async (address: string) => {
      const answers = [await start(address), await verify(address, '000000'), await verify(address, '000000')];
      for (let wrong = 0; wrong < 4; wrong += 1) answers.push(await verify(address, '000000'));
      for (let more = 0; more < 5; more += 1) answers.push(await start(address));
      return answers.map(({ status, headers, text }) => [
        status,
        Object.keys(headers).sort().join(),
        text.replaceAll(address, '…').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time').replaceAll(/\d+ s|\d{3,}/g, 'n'),
      ]);
    };
    const [known, strange] = [await seen(email), await seen(unknown)];
    expect(strange).toEqual(known);
    const statuses = [200, ...Array(5).fill(401), 429, 200, 200, 200, 429, 429];
    expect(strange.map(([status]) => status)).toEqual(statuses);
  });

  test('an answer does not show that a code was asked for before: its owner is about to sign in', async () => {
    const { email } = await newShop();
    const expires = async (address: string) => {
      const now = shops.stage.runtime.clock.now();
      const { json } = await start(address, {}, '203.0.113.9');
      return Math.round((Date.parse(json.expires_at as string) - now) / MINUTE_MS);
    };
    await codeTo(email);
    shops.stage.advance(5 * MINUTE_MS);
    expect([await expires(email), await expires('stranger2@nowhere.example')]).toEqual([10, 10]);
  });

  test('the same work: the same statements for both', async () => {
    const { email } = await newShop();
    const { readModels, eventStore } = shops.stage.runtime;
    const did = async (work: () => Promise<unknown>): Promise<string[]> => {
      const statements: string[] = [];
      const note = (text: string) => void statements.push(text.replaceAll(/\s+/g, ' ').trim());
      const spies = [
        jest.spyOn(readModels, 'query').mockName('query'),
        jest.spyOn(readModels, 'transaction'),
        jest.spyOn(eventStore, 'load'),
      ];
      await work();
      for (const spy of spies) {
        for (const [first] of spy.mock.calls) {
          const text = typeof first === 'string' ? first : 'a transaction';
          // What sends the mails goes on beside it.
          if (!text.includes('accounts.mails')) note(text);
        }
        spy.mockRestore();
      }
      return statements;
    };
    await shops.stage.stepDown();
    const [known, strange] = [email, 'other@nowhere.example'];
    expect(await did(() => start(strange))).toEqual(await did(() => start(known)));
    const of_known = await did(() => verify(known, '000000'));
    expect(await did(() => verify(strange, '000000'))).toEqual(of_known);
    expect(of_known.length).toBeGreaterThan(1);
    await shops.stage.leadAgain();
  });

  test('no mail goes to it, and its code opens nothing', async () => {
    const address = 'guesser@nowhere.example';
    await start(address);
    await shops.stage.settle();
    expect(mails(address)).toEqual([]);
    const account = merchantIdOf(shops.stage.runtime.keyRing, address);
    const [row] = (await queue()).filter(({ merchant_id }) => merchant_id === account);
    expect(row?.status).toBe('not_needed');
    const [asked] = await shops.stage.runtime.readModels.query<{ id: string; asked_ms: string }>(
      'select id, asked_ms from accounts.one_time_codes where account = $1',
      [account],
    );
    const bytes = shops.stage.runtime.keyRing.dayBytes(Number(asked?.asked_ms), `login-code|${asked?.id}`);
    const lucky = String(bytes.readBigUInt64BE() % 1_000_000n).padStart(6, '0');
    expect((await verify(address, lucky)).status).toBe(401);
  });
});

test('no code is in a table, an event or a log line (S54)', async () => {
  const { email, id } = await newShop();
  const code = await codeTo(email);
  const { readModels, eventStore } = shops.stage.runtime;
  for (const table of ['one_time_codes', 'counted_tries', 'mails', 'sessions']) {
    const [all] = await readModels.query<{ text: string | null }>(
      `select string_agg(row::text, ' ') as text from (select * from accounts.${table}) row`,
    );
    // Digits of times and ids: a code stands alone.
    expect(all?.text ?? '').not.toMatch(new RegExp(`(?<![0-9a-f-])${code}(?![0-9a-f-])`));
  }
  const events = await eventStore.load(`merchant.all-${id}`);
  expect(JSON.stringify(events)).not.toContain(`"${code}"`);
});
