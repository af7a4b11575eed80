import type { PaymentSnapshot } from '@tender/contracts';
import { isoTime, type Mode } from '@tender/kernel';
import type { ContextStage } from '@tender/runtime/testing';
import { Screener } from '../screen-payment/screener';
import { SCREENER } from '../screen-payment/screener.token';
import { fraudStage } from '../testing/fraud-stage';
import { newOrder } from '../testing/order';
import { currentList, importList } from './import-list';
import { RefreshList } from './refresh-list.worker';
import { RESCANNED_MS, rescanWallets } from './rescan-wallets';
import { SAMPLE_LIST } from './sample-list';

const LISTED = '6HyMjBe695LZU9M2mV4Hxpf5n9MtmQ9t7EQGnDNNKEXv';
const HOUR_MS = 60 * 60 * 1000;
const { signal } = new AbortController();

let stage: ContextStage;
beforeEach(async () => {
  stage = await fraudStage();
});
afterEach(() => stage?.close());

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
/** A list that names these as well, of that day of January. */
async function list(day: number, ...wallets: readonly string[]) {
  const more = wallets.map((wallet) => `<VersionDetail>${wallet}</VersionDetail>`).join('');
  const text = SAMPLE_LIST.bytes
    .toString()
    .replace('<Day>5</Day>', `<Day>${day}</Day>`)
    .replace(`>${LISTED}</VersionDetail>`, `>${LISTED}</VersionDetail>${more}`);
  const as_of = isoTime(stage.runtime.clock.wall());
  return importList(stage.runtime, { chunks: bytesOf(text), as_of });
}
async function pays(wallet: string, ago_ms: number, changes: Partial<PaymentSnapshot> = {}) {
  const { payment } = newOrder();
  const confirmed_at = isoTime(stage.runtime.clock.now() - ago_ms);
  const data = {
    payment: { ...payment, customer_wallet: wallet, confirmed_at, ...changes },
    webhook_url: null,
  };
  const stream = `payment.${data.payment.mode}-${data.payment.id}` as const;
  await stage.say(stream, 'payments.payment-confirmed.v1', data);
  await stage.settle();
  return data.payment.id;
}
async function builds(wallet: string) {
  const order = newOrder({ stage: 'build', customer_wallet: wallet });
  const screener = stage.app.get<Screener>(SCREENER);
  await screener.memory.sanctions.copy.upToDate();
  await screener.screen(order, { mode: 'test', correlation_id: 'x', command_id: null });
  await screener.writer.flush();
  return order.payment.id;
}
async function flags(mode: Mode = 'test') {
  await stage.settle();
  const caller = stage.caller({ merchant_id: 'm1', mode });
  const { json } = await stage.send('GET', '/api/v1/merchants/me/fraud/flags', caller);
  return json.data as Record<string, unknown>[];
}
const wallets = async () =>
  (await flags()).map(({ customer_wallet }) => customer_wallet).toSorted();

test('a new list flags wallets that paid or built within 90 days, for review, on their newest payment, once', async () => {
  await pays('W-paid', 10 * HOUR_MS);
  const payment_id = await pays('W-paid', 2 * HOUR_MS, { amount_usd: 12.34 });
  await pays('W-paid', 20 * HOUR_MS);
  await pays('W-old', RESCANNED_MS + HOUR_MS);
  await pays('W-clean', HOUR_MS);
  await builds('W-built');
  await builds(LISTED);
  expect(await wallets()).toEqual([LISTED]);
  const { list: newest } = await list(6, 'W-paid', 'W-old', 'W-built');
  await rescanWallets(stage.runtime, signal);
  expect(await wallets()).toEqual([LISTED, 'W-built', 'W-paid']);
  const raised = (await flags()).find(({ customer_wallet }) => customer_wallet === 'W-paid');
  expect(raised).toMatchObject({
    ...{ payment_id, merchant_id: 'm1', stage: 'build', action: 'review', severity: 'high', score: 84 },
    ...{ rule: 'sanctions_rescan', amount_usd: 12.34, ip_address: null, resolved: false },
    reasons: [{ code: 'sanctions_rescan', weight: 84, observed: 1, threshold: 1 }],
  });
  const [row] = await stage.runtime.readModels.query<{ state: { terms: object } }>(
    'select state from fraud.flags where id = $1',
    [raised?.['id']],
  );
  expect(row?.state.terms).toMatchObject({
    sanctions_list: { sha256: newest.sha256, issued_on: '2026-01-06' },
  });
  await rescanWallets(stage.runtime, signal);
  await list(7, 'W-paid', 'W-old', 'W-built', 'W-clean');
  await rescanWallets(stage.runtime, signal);
  expect(await wallets()).toEqual([LISTED, 'W-built', 'W-clean', 'W-paid']);
});

test('a page at a time, to the end; what was cut short begins anew, and one list is gone through once', async () => {
  const paying = Array.from({ length: 7 }, (_, index) => `W-${index}`);
  for (const wallet of paying) await pays(wallet, HOUR_MS);
  await list(6, ...paying);
  const { readModels } = stage.runtime;
  let pages = 0;
  let dies = true;
  const query: typeof readModels.query = async (text, values) => {
    if (text.includes('fraud.paying_wallets')) pages += 1;
    if (dies && pages === 3) throw new Error('killed');
    return readModels.query(text, values);
  };
  const killed = { ...stage.runtime, readModels: { ...readModels, query } };
  await expect(rescanWallets(killed, signal, 2)).rejects.toThrow('killed');
  expect(await wallets()).toEqual(paying.slice(0, 4));
  dies = false;
  pages = 0;
  await rescanWallets(killed, signal, 2);
  expect([pages, await wallets()]).toEqual([4, paying]);
  await rescanWallets(killed, signal, 2);
  expect(pages).toBe(4);
});

test('the leader does it with the list that it imports, and with one that the leader before has left', async () => {
  await pays('W-left', HOUR_MS);
  await pays('W-new', HOUR_MS);
  await list(6, 'W-left');
  expect(await wallets()).toEqual([]);
  const led = async (open: () => AsyncIterable<Uint8Array>) => {
    const sources = {
      open: async () => ({ chunks: open(), as_of_ms: stage.runtime.clock.wall(), version: null }),
    };
    const worker = new RefreshList({ ...stage.runtime, sources }, 'https://list.test/sdn.xml');
    await worker.start();
    await worker.attempted();
    await worker.stop();
  };
  await led(() => bytesOf('<html/>'));
  expect(await wallets()).toEqual(['W-left']);
  const text = SAMPLE_LIST.bytes.toString().replace('<Day>5', '<Day>7').replace(LISTED, 'W-new');
  await led(() => bytesOf(text));
  expect(await wallets()).toEqual(['W-left', 'W-new']);
});

test('each screening says to which list it was held, of lists of before as well', async () => {
  const first = await builds('W1');
  const { list: second_list } = await list(6, 'W2');
  const second = await builds('W1');
  const held = (payment_id: string) =>
    stage.runtime.readModels.query(
      `select stage, list.sha256, list.issued_on::text from fraud.screenings
        join fraud.sanctions_lists as list on list.list_id = sanctions_list where payment_id = $1`,
      [payment_id],
    );
  expect(await held(first)).toEqual([
    { stage: 'build', sha256: SAMPLE_LIST.sha256, issued_on: '2026-01-05' },
  ]);
  expect(await held(second)).toEqual([
    { stage: 'build', sha256: second_list.sha256, issued_on: '2026-01-06' },
  ]);
  expect((await currentList(stage.runtime))?.sha256).toBe(second_list.sha256);
});
