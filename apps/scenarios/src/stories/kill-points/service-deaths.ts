import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { check, checkFromTheBeginning, History } from '../../harness/checker';
import { eventually } from '../../harness/eventually';
import { Load, settle } from '../../harness/load';
import { newMerchant, type Merchant } from '../../harness/merchants';
import { FAULTY_SERVICES, Program } from '../../harness/program';
import { Receiver } from '../../harness/receiver';
import { checkSignUps, signUpUntil } from './sign-ups';

/** Kill point by its number, and the fault that strikes there. */
export type Death = readonly [kill_point: string, fault: string];

/** Under load, each service dies at each of its points and is started again: nothing is lost, nothing is doubled. */
export function describeDeaths(deaths_of: Readonly<Record<string, readonly Death[]>>): void {
  let program: Program;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await Receiver.start();
    program = await Program.start(FAULTY_SERVICES);
  });
  afterAll(async () => {
    await receiver.close();
    await program.discard();
  });

  describe.each(Object.entries(deaths_of))('%s dies', (service, deaths) => {
    let merchant: Merchant;
    const history = new History();

    beforeAll(async () => {
      merchant = await newMerchant(program, { webhook_url: receiver.url });
    });

    test.each(deaths)('at %s (%s) and loses nothing, doubles nothing', async (_, fault) => {
      const earlier = program.news.length;
      const itsDeaths = async () =>
        program.news.slice(earlier).filter(({ name, how }) => name === service && how === 'SIGKILL');
      let over = false;
      const load = new Load({ merchant, history, name: fault });
      const signingUp =
        service === 'gateway' ? signUpUntil(program, () => over, fault) : Promise.resolve([]);
      await load.served(2);
      program.strike(service, fault);
      await eventually(itsDeaths, ({ length }) => length > 0).finally(() => {
        over = true;
      });
      await load.served(2);
      await load.stop();
      await settle(program, merchant);
      expect(await itsDeaths()).toHaveLength(1);
      await check(program, merchant, receiver, history);
      await checkSignUps(program, await signingUp);
    });

    test('and afterwards every answer of the beginning is still the same', () =>
      checkFromTheBeginning(program, merchant, receiver, history));
  });
}
