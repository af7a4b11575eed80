import type { StoredEvent } from '@tender/eventing';
import { gatheredNews } from './gathered-news';

const event = (position: number) => ({ position: String(position) }) as StoredEvent;

function news() {
  const told: string[][] = [];
  const waiting: (() => void)[] = [];
  const after = (_: number, work: () => void) => {
    waiting.push(work);
    return () => undefined;
  };
  const committed = gatheredNews({ after }, (events) =>
    told.push(events.map(({ position }) => position)),
  );
  const pass = () => waiting.shift()?.();
  return { told, waiting, committed, pass };
}

test('the first commit is told at once, those soon after it together, in their order', () => {
  const { told, committed, pass } = news();
  committed([event(1)]);
  committed([event(2)]);
  committed([event(3), event(4)]);
  expect(told).toEqual([['1']]);
  pass();
  expect(told).toEqual([['1'], ['2', '3', '4']]);
});

test('once a while passes without one, nothing waits, and the next is told at once', () => {
  const { told, waiting, committed, pass } = news();
  committed([event(1)]);
  pass();
  expect(waiting).toEqual([]);
  committed([event(2)]);
  expect(told).toEqual([['1'], ['2']]);
});
