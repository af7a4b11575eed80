import fc from 'fast-check';
import type { PendingAppend } from './event-rows';
import { OpenAppends, type OpenAppend } from './open-appends';

const call = (since_ms: number) => ({ since_ms }) as PendingAppend;

test('calls are there from their beginning to their outcome, oldest first, as a Set would have them', () => {
  const steps = fc.array(fc.oneof(fc.constant('enter' as const), fc.nat()), { maxLength: 60 });
  fc.assert(
    fc.property(steps, (taken) => {
      const open = new OpenAppends();
      const model = new Set<PendingAppend>();
      const places: OpenAppend[] = [];
      for (const step of taken) {
        if (step === 'enter') {
          const append = call(places.length);
          places.push(open.enter(append));
          model.add(append);
        } else if (places.length > 0) {
          // Also one that has left before.
          const place = places[step % places.length] as OpenAppend;
          open.leave(place);
          model.delete(place.append);
        }
        expect([...open]).toEqual([...model]);
        expect(open.oldest).toBe([...model][0] ?? null);
      }
    }),
  );
});

test('a call that has left knows none of the others', () => {
  const open = new OpenAppends();
  const [, second] = [open.enter(call(1)), open.enter(call(2)), open.enter(call(3))];
  open.leave(second);
  expect(second).toMatchObject({ older: null, newer: null });
  expect([...open].map(({ since_ms }) => since_ms)).toEqual([1, 3]);
});
