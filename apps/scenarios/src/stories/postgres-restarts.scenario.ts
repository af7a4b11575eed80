/**
 * @landing postgres
 * @runs postgres eventstore
 * @program own
 */
import { eventually } from '../harness/eventually';
import { Program } from '../harness/program';
import { Trade } from '../harness/trade';

let trade: Trade;

beforeAll(async () => {
  trade = await Trade.begin(await Program.start());
});
afterAll(() => trade.end());

test.each(['stop', 'kill'] as const)(
  'Postgres comes back after a %s under load, and the services go on by themselves',
  async (how) => {
    const load = trade.load(how);
    await load.served(3);
    await trade.program.let('postgres', how);
    // Without it a write is answered 503 or not at all: a process that cannot renew its lease ends.
    await eventually(async () => load.outcomes.at(-1), (last) => last !== 200);
    await trade.program.let('postgres', 'start');
    await trade.recovers(load);
  },
);
