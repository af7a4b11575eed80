import fc from 'fast-check';
import { Velocities, WINDOW_MS_MAX, type Subject } from './velocities';

const subject: Subject = { mode: 'test', by: 'ip', value: 'h' };

/** The definition, word for word: payments noted first within the window, and the asking one. */
function counted(
  noted: readonly (readonly [string, number])[],
  window_ms: number,
  asking: string,
  now_ms: number,
): number {
  const first = new Map<string, number>();
  for (const [id, at_ms] of noted) if (!first.has(id)) first.set(id, at_ms);
  const inside = [...first].filter(([id, at_ms]) => id !== asking && at_ms > now_ms - window_ms);
  return inside.length + 1;
}

test('counts each payment of the window once, however late it is noted', () => {
  const ids = fc.constantFrom('p1', 'p2', 'p3', 'p4', 'p5', 'p6');
  // All within the longest window, so that nothing is forgotten yet.
  const times = fc.integer({ min: 1, max: WINDOW_MS_MAX });
  const noted_payments = fc.array(fc.tuple(ids, times));
  fc.assert(
    fc.property(noted_payments, ids, fc.nat(WINDOW_MS_MAX), (noted, asking, window_ms) => {
      const velocities = new Velocities();
      for (const [id, at_ms] of noted) velocities.note(subject, id, at_ms);
      const now_ms = WINDOW_MS_MAX;
      expect(velocities.count(subject, window_ms, asking, now_ms)).toBe(
        counted(noted, window_ms, asking, now_ms),
      );
    }),
  );
});

test('what lies before the longest window is forgotten, and may be noted again', () => {
  const velocities = new Velocities();
  velocities.note(subject, 'old', 1);
  velocities.note(subject, 'new', WINDOW_MS_MAX + 1);
  const now_ms = WINDOW_MS_MAX + 1;
  expect(velocities.count(subject, 2 * WINDOW_MS_MAX, 'asking', now_ms)).toBe(2);
  velocities.note(subject, 'old', now_ms);
  expect(velocities.count(subject, WINDOW_MS_MAX, 'asking', now_ms)).toBe(3);
});

test('counts of one subject are not those of another', () => {
  const velocities = new Velocities();
  velocities.note(subject, 'p1', 5);
  expect(velocities.count({ ...subject, by: 'email' }, 10, 'p2', 6)).toBe(1);
  expect(velocities.count({ ...subject, mode: 'live' }, 10, 'p2', 6)).toBe(1);
  expect(velocities.count(subject, 10, 'p2', 6)).toBe(2);
});
