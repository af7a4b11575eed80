import { isoTime } from '@tender/kernel';
import { Following } from './following';
import { recordedTelemetry } from '../testing';

const HOUR_MS = 3_600_000;
const done = () => Promise.resolve();
const fail = () => Promise.reject(new Error('the row is locked'));

function stage() {
  const recorded = recordedTelemetry();
  const clock = { ms: HOUR_MS, wall: () => clock.ms };
  const following = new Following(recorded.telemetry, clock);
  const batch = (...at: number[]) => at.map((ms) => ({ recorded_at: isoTime(ms) }));
  const lag = async () => (await recorded.read('tender_follower_lag_seconds')).map(({ value }) => value);
  return { ...recorded, clock, following, batch, lag };
}

test('a follower that has handled everything is not behind, however long ago that was', async () => {
  const { clock, following, batch, lag } = stage();
  await following.handle('f', 'test', batch(clock.ms), done);
  clock.ms += HOUR_MS;
  expect(await lag()).toEqual([0]);
});

test('a batch that fails stays behind by its first event until it is handled', async () => {
  const { clock, following, batch, lag, of } = stage();
  const events = batch(clock.ms, clock.ms + 1);
  await expect(following.handle('f', 'test', events, fail)).rejects.toThrow('locked');
  clock.ms += 20_000;
  expect(await lag()).toEqual([20]);
  await expect(following.handle('f', 'test', events, fail)).rejects.toThrow('locked');
  clock.ms += 20_000;
  expect(await lag()).toEqual([40]);
  await following.handle('f', 'test', events, done);
  following.caughtUp('f', 'test', clock.ms);
  expect(await lag()).toEqual([0]);
  expect(of('tender_follower_failures_total')).toHaveLength(2);
  expect(of('tender_follower_events_total')).toEqual([[{ follower: 'f', mode: 'test' }, 2]]);
});

test('between the batches of a long way the lag is that of the last event, and ends at its end', async () => {
  const { clock, following, batch, lag } = stage();
  await following.handle('f', 'live', batch(0, 1_000), done);
  expect(await lag()).toEqual([(HOUR_MS - 1_000) / 1000]);
  following.caughtUp('f', 'live', 500);
  expect(await lag()).toEqual([(HOUR_MS - 1_000) / 1000]);
  following.caughtUp('f', 'live', clock.ms);
  expect(await lag()).toEqual([0]);
});

test('a follower that has ended is shown no more', async () => {
  const { clock, following, batch, lag } = stage();
  await following.handle('f', 'test', batch(clock.ms), done);
  following.ended('f', 'test');
  expect(await lag()).toEqual([]);
});

test('another partition that goes on does not hide the one that fails', async () => {
  const { clock, following, batch, lag } = stage();
  await expect(following.handle('f', 'test', batch(clock.ms), fail)).rejects.toThrow('locked');
  clock.ms += 20_000;
  await following.handle('f', 'test', batch(clock.ms), done);
  expect(await lag()).toEqual([20]);
  following.caughtUp('f', 'test', clock.ms);
  expect(await lag()).toEqual([0]);
});

test('a follower that old events show to be behind waits for the progress that says it is not', async () => {
  const { clock, following, batch } = stage();
  const awaits = () => following.awaits('f', 'test');
  expect(awaits()).toBeNull();
  await following.handle('f', 'test', batch(clock.ms), done);
  expect(awaits()).toBeNull();
  await following.handle('f', 'test', batch(1_000, 2_000), done);
  expect(awaits()).toBe(2_000);
  following.caughtUp('f', 'test', 2_000);
  expect(awaits()).toBeNull();
  await expect(following.handle('f', 'test', batch(3_000), fail)).rejects.toThrow('locked');
  expect(awaits()).toBe(3_000);
});
