import { Unavailable } from './ports/failures';
import { OfLeader } from './of-leader';

test('it is empty outside a term, and holds something new in each', () => {
  const held = new OfLeader<string>('sender');
  expect(held.current()).toBeNull();
  expect(() => held.now()).toThrow(Unavailable);
  held.begin('first');
  expect(held.now()).toBe('first');
  held.end();
  expect(() => held.now()).toThrow(Unavailable);
  held.begin('second');
  expect(held.current()).toBe('second');
});

test('a term begins after the last one has ended', () => {
  const held = new OfLeader<string>('sender');
  held.begin('first');
  expect(() => held.begin('second')).toThrow('the last term of the sender has ended');
});
