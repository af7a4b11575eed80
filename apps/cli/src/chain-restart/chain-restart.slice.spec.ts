import { OpsStage } from '../testing/ops-stage';

const stage = new OpsStage();
const kept = () =>
  stage.readModels.query(
    'select mode, genesis_hash, slot::int, watermark_ms::int, epoch::int from chain_indexer.cursors order by mode',
  );

describe('tender ops chain-restart', () => {
  beforeEach(async () => {
    await stage.readModels.query(
      `insert into chain_indexer.cursors (mode, genesis_hash, slot, watermark_ms, moved_wall_ms, epoch)
        values ('live', 'one', 7, 70, 700, 3), ('test', 'other', 8, 80, 800, 4)`,
    );
    await stage.readModels.query(
      `insert into chain_indexer.watches (reference, payment_id, mode, merchant_id, wallet, account, token, due,
          created_at, expires_at_ms, correlation_id, lookup_due, state)
        select name, name, mode, 'm1', 'w', 'a', 'USDC', 1, now(), 1, 'c-1', false, state
          from (values ('a', 'test', 'open'), ('b', 'test', 'paid'), ('c', 'live', 'open')) one (name, mode, state)`,
    );
  });

  it('forgets the chain of one mode and has its open payments looked up', async () => {
    const { code, said } = await stage.tender('ops chain-restart --mode test');
    expect([code, JSON.parse(said[0] as string)]).toMatchObject([
      0,
      {
        ...{ line: 'chain_restart', mode: 'test', open_payments: 1 },
        next: expect.stringMatching(/^The indexer .* 1 open payment is looked/),
      },
    ]);
    expect(await kept()).toEqual([
      { mode: 'live', genesis_hash: 'one', slot: 7, watermark_ms: 70, epoch: 3 },
      { mode: 'test', genesis_hash: null, slot: null, watermark_ms: null, epoch: 4 },
    ]);
    const due = 'select reference from chain_indexer.watches where lookup_due';
    expect(await stage.readModels.query(due)).toEqual([{ reference: 'a' }]);
  });

  it('does nothing where no chain was followed, and says so', async () => {
    await stage.tender('ops chain-restart --mode test');
    const { code, complaints } = await stage.tender('ops chain-restart --mode test');
    expect([code, complaints[0]]).toEqual([1, expect.stringMatching(/No chain is followed in test mode yet/)]);
  });

  it('takes the name of a mode, and no other', async () => {
    for (const line of ['ops chain-restart', 'ops chain-restart --mode both']) {
      expect(await stage.tender(line)).toMatchObject({
        code: 2,
        complaints: [expect.stringMatching(/needs --mode test or --mode live/), expect.anything()],
      });
    }
    expect((await kept())[1]).toMatchObject({ slot: 8 });
  });
});
