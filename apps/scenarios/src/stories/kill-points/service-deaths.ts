import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ServiceName } from '@tender/contracts';
import { eventually } from '../../harness/eventually';
import { FAULTY_SERVICES, Program } from '../../harness/program';
import { Trade } from '../../harness/trade';
import { checkSignUps, signUpUntil } from './sign-ups';

/** Kill point by its number, and the fault that strikes there. */
export type Death = readonly [kill_point: string, fault: string];

export const AROUND_THE_APPEND: readonly Death[] = [
  ['K1 and K2, a command is decided, its append not sent', 'append.before:2'],
  ['K3, the append is sent, its answer not read', 'append.sent:2'],
  ['K4, the append is acknowledged, no client is answered', 'append.after:2'],
];

/**
 * Append and say nothing of these orders: fraud flags none of them, and none is for a bill. Their relay is that of
 * every service; what fraud has screened when it dies is in its specs, billing dies in the story of invoices, and
 * treasury and refunds-disputes in that of money that leaves.
 */
export const SILENT: readonly ServiceName[] = ['fraud', 'billing', 'treasury', 'refunds-disputes'];

/** Under load, each service dies at each of its points and is started again: nothing is lost, nothing is doubled. */
export function describeDeaths(deaths_of: Readonly<Record<string, readonly Death[]>>): void {
  let program: Program;

  beforeAll(async () => {
    program = await Program.start(FAULTY_SERVICES);
  });
  afterAll(() => program.discard());

  describe.each(Object.entries(deaths_of))('%s dies', (service, deaths) => {
    let trade: Trade;

    beforeAll(async () => {
      trade = await Trade.begin(program);
    });
    afterAll(() => trade.receiver.close());

    test.each(deaths)('at %s (%s) and loses nothing, doubles nothing', async (_, fault) => {
      const earlier = program.news.length;
      const itsDeaths = async () =>
        program.news.slice(earlier).filter(({ name, how }) => name === service && how === 'SIGKILL');
      let over = false;
      const load = trade.load(fault);
      const signingUp =
        service === 'gateway' ? signUpUntil(program, () => over, fault) : Promise.resolve([]);
      await load.served(2);
      try {
        await program.strike([service], fault);
        await eventually(itsDeaths, ({ length }) => length > 0);
      } catch (error) {
        load.abandon();
        throw error;
      } finally {
        over = true;
      }
      await trade.recovers(load);
      expect(await itsDeaths()).toHaveLength(1);
      await checkSignUps(program, await signingUp);
    });

    test('and afterwards every answer of the beginning is still the same', () =>
      trade.checkFromTheBeginning());
  });
}
