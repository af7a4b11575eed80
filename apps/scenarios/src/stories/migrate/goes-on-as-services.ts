import { expect } from '@jest/globals';
import path from 'node:path';
import { startEventStoreDouble, type EventStoreDouble } from '@tender/eventstore-double';
import {
  keysAreWhatTheyWere,
  movedTo,
  ownerSignsIn,
  repeatsAreAnsweredAsBefore,
  tradeGoesOn,
} from '../upgrade/shop-goes-on';
import { answersOf, everyAnswer, settledAnswers, tradeForTwoHours } from '../upgrade/shop-history';
import { EMBEDDED_MAIN, Program } from '../../harness/program';
import { RUN } from '../../harness/running-program';
import { Receiver, type Delivery } from '../../harness/receiver';
import { linesOf, tender } from '../../harness/tender';

/** Links in answers must not name the port of a run. */
const ENV = { PUBLIC_URL: 'http://shop.tender.test' };

/** `tender ops migrate-log …` on a data folder, to the log of this run. */
async function migration(data_dir: string) {
  const store: EventStoreDouble | null =
    RUN === 'eventstore'
      ? await startEventStoreDouble({ dataDir: path.join(data_dir, 'eventstore') })
      : null;
  const env = { DATA_DIR: data_dir, ...(store ? { EVENTSTORE_URL: store.connection_string } : {}) };
  return {
    run: (flags: readonly string[] = [], onLine?: Parameters<typeof tender>[2]) =>
      tender(['ops', 'migrate-log', ...flags], env, onLine),
    end: async () => store?.stop(),
  };
}

const lastLine = (output: string) => linesOf(output).at(-1);

/** A receiver that has answered 200 must not be sent the same event again. */
function toldTwice(taken: readonly Delivery[]): string[] {
  const seen = new Set<string>();
  return taken
    .map(({ path: at, json }) => `${at} ${json.event} ${json.id}`)
    .filter((one) => (seen.has(one) ? true : (seen.add(one), false)));
}

/** A program that ran alone goes on as services, its log moved to that of this run: nothing is lost or sent twice. */
export async function goesOnAsServices(end: 'stops in order' | 'is killed'): Promise<void> {
  const receiver = await Receiver.start();
  const takeEverything = answersOf(receiver);
  const alone = new Program(ENV, undefined, EMBEDDED_MAIN);
  const services = new Program(ENV, alone.data_dir);
  try {
    await alone.start();
    const recorded = await tradeForTwoHours(alone, receiver, end === 'is killed' ? 'hanging' : 'failing');
    const answers = await settledAnswers(recorded);
    if (end === 'is killed') await alone.kill();
    else {
      const early = await migration(alone.data_dir);
      const refused = await early.run();
      expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('End it first')]);
      await early.end();
      expect(await alone.stop()).toBe(0);
      await expect(services.start()).rejects.toThrow('tender ops migrate-log');
    }

    const { run, end: endStore } = await migration(alone.data_dir);
    const planned = await run(['--dry-run']);
    expect([planned.code, planned.errors]).toEqual([0, '']);
    expect(lastLine(planned.output)).toMatchObject({ dry_run: true, to: RUN });
    let is_done = false;
    if (RUN === 'eventstore') {
      const killed = await run([], (line, kill) => {
        if (line.includes('"line":"progress"')) kill('SIGKILL');
      });
      // The kill may come when there is nothing left to kill.
      is_done = killed.code === 0;
      if (!is_done) expect(killed.code).toBe('SIGKILL');
    }
    const moved = await run();
    expect([moved.code, moved.errors]).toEqual([0, '']);
    const done = { phase: 'done', next: expect.stringMatching(/^Next: start/) };
    if (!is_done) expect(lastLine(moved.output)).toMatchObject(done);
    const again = await run();
    expect(again.code).toBe(0);
    expect(lastLine(again.output)).toMatchObject({ before: true });
    await endStore();

    await services.start();
    const history = movedTo(services, recorded);
    expect(await everyAnswer(history)).toEqual(answers);
    const replayed = await tender(['ops', 'replay', '--all', '--yes'], services.operatorsEnv());
    expect([replayed.code, replayed.errors]).toEqual([0, '']);
    const compared = linesOf(replayed.output).filter(({ line }) => line === 'comparison');
    expect(compared.filter(({ same }) => !same)).toEqual([]);
    expect(compared.length).toBeGreaterThan(5);
    expect(await everyAnswer(history)).toEqual(answers);
    await repeatsAreAnsweredAsBefore(history);
    await keysAreWhatTheyWere(history);
    const from = receiver.deliveries.length;
    takeEverything();
    await tradeGoesOn(history, receiver);
    await ownerSignsIn(services, history, ENV.PUBLIC_URL);
    expect(await services.stop()).toBe(0);
    const taken = receiver.deliveries.filter(({ path: at }, place) => at === '/ok' || place >= from);
    expect(toldTwice(taken)).toEqual([]);
    await expect(new Program(ENV, alone.data_dir, EMBEDDED_MAIN).start()).rejects.toThrow(
      'what they have told would be told again',
    );
  } finally {
    await alone.kill();
    await services.discard();
    await receiver.close();
  }
}
