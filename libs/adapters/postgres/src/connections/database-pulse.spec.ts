import type { Delays } from '@tender/eventing';
import { databasePulse } from './database-pulse';
import { silentLog } from '../testing/quiet-ports';

/** A database that answers as the test says, and a clock that is wound by hand. */
function bench(at_first = true) {
  const diary: string[] = [];
  let answers = at_first;
  let tick = (): void => undefined;
  let asked = 0;
  const state = { isWaiting: true };
  const delays: Delays = {
    after(_, work) {
      tick = work;
      return () => undefined;
    },
  };
  const cuttable = {
    isWaiting: () => state.isWaiting,
    cutOff() {
      diary.push('cut');
      return () => void diary.push('restored');
    },
  };
  const ask = () => {
    asked += 1;
    return answers ? Promise.resolve() : Promise.reject(new Error('no answer'));
  };
  const pulse = databasePulse({
    ...{ connectionString: '', cuttable: [cuttable], log: silentLog, delays, ask },
  });
  return {
    diary,
    state,
    asked: () => asked,
    pulse,
    async beat(answered: boolean) {
      await new Promise((resolve) => setImmediate(resolve));
      answers = answered;
      tick();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('what waits is cut off once, when the database has not answered twice, until it answers', async () => {
  const { diary, pulse, beat } = bench();
  await beat(false);
  await beat(true);
  await beat(false);
  expect(diary).toEqual([]);
  await beat(false);
  await beat(false);
  expect(diary).toEqual(['cut']);
  await beat(true);
  await beat(true);
  expect(diary).toEqual(['cut', 'restored']);
  await pulse.close();
});

test('a database that has not answered yet is waited for', async () => {
  const { diary, pulse, beat } = bench(false);
  for (let tries = 0; tries < 5; tries += 1) await beat(false);
  expect(diary).toEqual([]);
  await beat(true);
  await beat(false);
  await beat(false);
  expect(diary).toEqual(['cut']);
  await pulse.close();
});

test('what is cut off is given back when the process ends', async () => {
  const { diary, pulse, beat } = bench();
  await beat(false);
  await beat(false);
  await pulse.close();
  expect(diary).toEqual(['cut', 'restored']);
});

test('the database is asked nothing while nothing waits for it, and is not cut off then', async () => {
  const { diary, state, asked, pulse, beat } = bench();
  await beat(true);
  const before = asked();
  state.isWaiting = false;
  for (let beats = 0; beats < 5; beats += 1) await beat(false);
  expect(asked()).toBe(before);
  expect(diary).toEqual([]);
  state.isWaiting = true;
  await beat(false);
  state.isWaiting = false;
  await beat(false);
  expect(diary).toEqual(['cut']);
  await beat(true);
  expect(diary).toEqual(['cut', 'restored']);
  await pulse.close();
});
