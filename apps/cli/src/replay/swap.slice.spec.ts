import { NOT_SWAPPED } from '../faults';
import { CheckpointGate } from '../testing/checkpoint-gate';
import { OpsStage } from '../testing/ops-stage';

const stage = new OpsStage();
const REPLAY = 'ops replay payment-details';

beforeEach(async () => {
  await stage.writeLog(20);
  await stage.followPayments();
});

const lines = (said: readonly string[]) => said.map((line) => JSON.parse(line));
const query = (statement: string) => stage.readModels.query(statement);
const generations = async () =>
  (await query(`select generation || ' ' || state as named from payments.generations
    where view = 'payment_details' order by generation`)).map(({ named }) => named);

describe('before a swap', () => {
  it('without a terminal and without --yes builds, compares, and says how to go on', async () => {
    const { code, said, complaints } = await stage.tender(REPLAY);
    expect([code, complaints]).toEqual([NOT_SWAPPED, []]);
    const [compared, last] = lines(said).slice(-2);
    expect(compared).toMatchObject({
      ...{ line: 'comparison', projection: 'payments.payment-details@1', same: true },
      ...{ rows_live: 20, rows_other: 20, only_live: 0, only_other: 0, different: 0, columns: {} },
    });
    expect(last).toMatchObject({
      ...{ line: 'replay', phase: 'not_swapped', generation: 2, events: 60 },
      next: expect.stringContaining('--yes'),
    });
    expect(await generations()).toEqual(['1 live', '2 building']);

    const again = await stage.tender(`${REPLAY} --yes`);
    const goes_on = { line: 'replay', phase: 'goes_on', generation: 2, begun_at: expect.any(String) };
    expect(lines(again.said)[0]).toMatchObject(goes_on);
    expect([again.code, lines(again.said).at(-1)]).toMatchObject([0, { phase: 'live', events: 0 }]);
    expect(await generations()).toEqual(['1 kept', '2 live']);
  });

  it('names a row that was changed by hand by its key, and shows nothing of what is in it', async () => {
    await query(`update payments.payment_details_g1 set position = '7',
      state = jsonb_set(state::jsonb, '{planted}', '"ada@example.com"')::json where id = 'pay_test_7'`);
    await query(`delete from payments.payment_details_g1 where id = 'pay_test_8'`);
    const { code, said } = await stage.tender(`${REPLAY} --yes`);
    expect(code).toBe(0);
    expect(lines(said).find(({ line }) => line === 'comparison')).toMatchObject({
      ...{ same: false, rows_live: 19, rows_other: 20, only_other: 1, different: 1 },
      ...{ columns: { state: 1, position: 1 } },
      first: {
        only_other: ['pay_test_8'],
        different: [{ key: 'pay_test_7', columns: ['state', 'position'] }],
      },
    });
    stage.answer = 'no';
    await query(`delete from payments.payment_details_g2 where id <> 'pay_test_7'`);
    const asked = await stage.tender(REPLAY);
    expect(asked.said).toContain('  only in payments.payment_details_g3: 19: ' +
      'pay_test_1, pay_test_10, pay_test_11, pay_test_12, pay_test_13, …');
    expect(said.concat(asked.said).join()).not.toContain('ada@');
  });

  it('asks at a terminal; another answer than "swap", and Ctrl-C, leave the live table', async () => {
    stage.answer = 'yes';
    expect((await stage.tender(REPLAY)).code).toBe(NOT_SWAPPED);
    stage.interrupt();
    expect((await stage.tender(REPLAY)).code).toBe(130);
    expect(await generations()).toEqual(['1 live', '2 building']);
    stage.answer = 'swap';
    const { code, said } = await stage.tender(REPLAY);
    expect(stage.asked).toHaveLength(3);
    expect(stage.asked.at(-1)).toMatch(/^Put payments.payment_details_g2 in place/);
    expect([code, said.slice(0, 2)]).toEqual([0, [
      expect.stringMatching(/^payments.payment-details@1: goes on with g2, begun \d{4}-.*\.$/),
      'payments.payment-details@1: payments.payment_details_g2 has the 20 rows of payments.payment_details_g1, ' +
        'at position test 6062, live 6062 of the log.',
    ]]);
  });

  it('begins anew what another release has begun, whole as it is, and says so', async () => {
    expect((await stage.tender(REPLAY)).code).toBe(NOT_SWAPPED);
    await query('comment on table payments.payment_details_g2 is null');
    const [plan] = lines((await stage.tender(`${REPLAY} --dry-run`)).said);
    expect(plan).toMatchObject({
      ...{ resumes: false, begun_at: null, replaces: 'payments.payment_details_g2', events_total: 60 },
      new_table: 'payments.payment_details_g3',
    });
    const { said } = await stage.tender(REPLAY);
    expect(lines(said)[0]).toMatchObject({ line: 'replay', phase: 'begun_anew', generation: 3, replaced: 2 });
    expect(lines(said).at(-1)).toMatchObject({ phase: 'not_swapped', events: 60 });
    expect(await generations()).toEqual(['1 live', '3 building']);
    await query(`comment on table payments.payment_details_g3 is 'begun by the program b2'`);
    stage.answer = 'swap';
    expect((await stage.tender(REPLAY)).said[0]).toBe('payments.payment-details@1: ' +
      'g3 was begun by another release: begun anew as g4, g3 is dropped.');
  });
});

it('keeps the former table, and drops what is older', async () => {
  for (const dropped of [[], [1], [2]]) {
    const { said } = await stage.tender(`${REPLAY} --yes`);
    expect(lines(said).at(-1)).toMatchObject({ phase: 'live', dropped });
  }
  expect(await generations()).toEqual(['3 kept', '4 live']);
  expect((await stage.tender(`${REPLAY} --to roll-back`)).code).toBe(0);
  expect(await generations()).toEqual(['3 live', '4 kept']);
});

it('refuses a second replay of the same projection by name, and of no other', async () => {
  stage.answer = 'swap';
  let second: Awaited<ReturnType<OpsStage['tender']>> | null = null;
  stage.meanwhile = async () => {
    stage.meanwhile = () => Promise.resolve();
    second = await stage.tender(REPLAY);
    expect((await stage.tender('ops replay receipts')).code).toBe(0);
  };
  expect((await stage.tender(REPLAY)).code).toBe(0);
  expect(second).toMatchObject({
    code: 1,
    complaints: [expect.stringMatching(
      /Another replay of payments.payment-details@1 is under way \(tender replay pid \d+ on .*\)\. Nothing was changed/,
    )],
  });
});

it('leaves no half swap when its connection is cut in the swap, and does it the next time', async () => {
  expect((await stage.tender(REPLAY)).code).toBe(NOT_SWAPPED);
  const gate = await CheckpointGate.before(stage.readModels, 'payments');
  try {
    let over = false;
    const cut = stage.tender(`${REPLAY} --yes`).finally(() => (over = true));
    // Nothing is left to fold: the first that moves a checkpoint is the swap.
    await gate.reached(() => over);
    await query(`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`);
    const { code, said } = await cut;
    expect([code, lines(said).at(-1)]).toMatchObject([1, { line: 'progress', phase: 'swapping' }]);
  } finally {
    await gate.open();
    await gate.leave();
  }
  expect(await generations()).toEqual(['1 live', '2 building']);
  expect((await query('select count(*)::int as rows from payments.payment_details'))[0]).toEqual({ rows: 20 });
  expect((await stage.tender(`${REPLAY} --yes`)).code).toBe(0);
  expect(await generations()).toEqual(['1 kept', '2 live']);
});
