import { PacedStarts } from './paced-starts';

/** A clock that is wound by hand, one delay at a time. */
function paced() {
  const due: (() => void)[] = [];
  const after = (_: number, work: () => void) => {
    due.push(work);
    return () => undefined;
  };
  const starts = new PacedStarts({ after }, 50);
  return { starts, due, paceEnds: () => due.shift()?.() };
}

async function isWaiting(promise: Promise<void>): Promise<boolean> {
  let waits = true;
  void promise.then(() => (waits = false));
  await new Promise(setImmediate);
  return waits;
}

test('four starts need not wait, and the fifth waits for the pace', async () => {
  const { starts, paceEnds } = paced();
  for (let start = 0; start < 4; start += 1) {
    expect(await isWaiting(starts.next())).toBe(false);
    starts.count();
  }
  const fifth = starts.next();
  expect(await isWaiting(fifth)).toBe(true);
  paceEnds();
  expect(await isWaiting(fifth)).toBe(false);
});

test('starts that are counted beyond the burst make the next one wait no longer', async () => {
  const { starts, paceEnds } = paced();
  for (let start = 0; start < 9; start += 1) starts.count();
  paceEnds();
  expect(await isWaiting(starts.next())).toBe(false);
});

test('after a rest there is a whole burst again, and no timer is left', async () => {
  const { starts, due, paceEnds } = paced();
  for (let start = 0; start < 4; start += 1) starts.count();
  for (let pace = 0; pace < 4; pace += 1) paceEnds();
  expect(due).toHaveLength(0);
  for (let start = 0; start < 3; start += 1) starts.count();
  expect(await isWaiting(starts.next())).toBe(false);
});

test('cut lets whatever waits go on', async () => {
  const { starts } = paced();
  for (let start = 0; start < 4; start += 1) starts.count();
  const waiting = starts.next();
  starts.cut();
  expect(await isWaiting(waiting)).toBe(false);
});
