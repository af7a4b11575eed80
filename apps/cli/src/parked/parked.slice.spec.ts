import { OpsStage } from '../testing/ops-stage';

const stage = new OpsStage();

describe('parked messages', () => {
  const park = (key: string, position: number, tries: number, next: string | null) =>
    stage.readModels.query(
      `insert into payments.parked (consumer, mode, key, position, message, tries, next_try_at, error)
        values ('payments.confirm', 'test', $1, $2, '{"type": "x.y.v1"}', $3, $4::timestamptz, 'broken')`,
      [key, String(position), tries, next],
    );
  beforeEach(async () => {
    await stage.writeLog(1);
    await park('a', 1, 5, null);
    await park('a', 2, 0, '1970-01-01');
    await park('b', 3, 2, '2999-01-01');
  });

  it('lists and counts those that wait for an operator', async () => {
    const { said } = await stage.tender('ops parked');
    expect(said.map((line) => JSON.parse(line))).toMatchObject([
      { line: 'parked', id: 'payments:1', behind: 1, tries: 5, error: 'broken' },
    ]);
    const projections = (await stage.tender('ops projections')).said.map((line) => JSON.parse(line));
    expect(projections.filter(({ line }) => line === 'parked_count')).toEqual([
      { line: 'parked_count', consumer: 'payments.confirm', mode: 'test', messages: 3, for_operator: 1 },
    ]);
    const { said: lines } = await stage.tender('ops parked show payments:1');
    expect(JSON.parse(lines[0] as string)).toMatchObject({ id: 'payments:1', message: { type: 'x.y.v1' } });
    stage.answer = 'a person';
    const { said: shown } = await stage.tender('ops parked show payments:1');
    expect(shown).toContain('error: broken');
    const { said: for_program } = await stage.tender('ops parked show payments:1 --json');
    expect(for_program.at(-1)).toBe(lines[0]);
  });

  it('sets one due, or all of a consumer, and neither twice', async () => {
    expect((await stage.tender('ops parked retry payments:3')).complaints[0]).toMatch(/by itself/);
    expect((await stage.tender('ops parked retry payments:1')).code).toBe(0);
    const due = 'select id::int as id from payments.parked where next_try_at <= now() order by id';
    expect(await stage.readModels.query(due)).toEqual([{ id: 1 }, { id: 2 }]);
    expect((await stage.tender('ops parked retry-all payments.confirm')).complaints[0]).toMatch(/Nothing of/);
    await stage.readModels.query('update payments.parked set next_try_at = null where id = 1');
    expect((await stage.tender('ops parked retry-all payments.confirm')).said[0]).toMatch(/"messages":1,.*1 message is/);
    expect((await stage.tender('ops parked retry-all confirm')).complaints[0]).toMatch(/<context>/);
  });

  it('drops one for a reason, which is kept with what it was', async () => {
    expect((await stage.tender('ops parked drop payments:1')).code).toBe(2);
    expect((await stage.tender('ops parked drop payments:1 --reason', ['seen by hand'])).code).toBe(0);
    const kept = await stage.readModels.query(
      'select id::int as id, key, reason, message, error from payments.parked_dropped',
    );
    expect(kept).toEqual([
      { id: 1, key: 'a', reason: 'seen by hand', message: { type: 'x.y.v1' }, error: 'broken' },
    ]);
    expect((await stage.tender('ops parked drop payments:1 --reason again')).complaints[0]).toMatch(
      /No message payments:1/,
    );
    expect((await stage.tender('ops parked show nonsense')).code).toBe(2);
  });
});
