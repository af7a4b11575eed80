import { lookedFor } from '@tender/contracts';
import { ASKING, indexerProcesses, pay } from '../testing/indexer-processes';

const processes = indexerProcesses();

it('tells where money is looked for and up to which block time, also after the watch has ended', async () => {
  const stage = await processes.waiting();
  const ask = (reference: string) =>
    stage.runtime.calls.ask(lookedFor, { mode: 'test', reference }, ASKING);
  processes.chain.land(700, pay('nobody', { to: 'mallory' }));
  await stage.idle();
  const looked = await ask('ref-p1');
  expect(looked).toMatchObject({ up_to: '1970-01-01T00:11:40.000Z', look_up_due: false });
  expect(looked?.accounts).toHaveLength(2);
  expect(looked?.accounts[1]).toBe('alice');
  processes.chain.land(1001);
  await stage.idle();
  expect(await ask('ref-p1')).toEqual({ ...looked, up_to: '1970-01-01T00:16:41.000Z' });
  expect(await ask('ref-unknown')).toBeNull();
});
