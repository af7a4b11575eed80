import { arrangementOf } from './arrangement-of';

test('one subject with an action, or the list alone', () => {
  expect(arrangementOf({ wallet: 'W', action: 'sanction' })).toEqual({
    kind: 'wallet',
    value: 'W',
    action: 'sanction',
  });
  expect(arrangementOf({ email: 'a@b.test', action: 'clear' })).toEqual({
    ...{ kind: 'email', value: 'a@b.test', action: 'clear' },
  });
  expect(arrangementOf({ list: 'stale' })).toEqual({ kind: 'list', age: 'stale' });
});

test.each([
  [{}, 'wallet'],
  [{ wallet: 'W', ip: '1.2.3.4', action: 'block' } as const, 'wallet'],
  [{ wallet: 'W' }, 'action'],
  [{ ip: '1.2.3.4', action: 'sanction' } as const, 'action'],
  [{ list: 'stale', wallet: 'W' } as const, 'list'],
  [{ list: 'stale', action: 'block' } as const, 'list'],
])('%j is refused, and names %s', (body, field) => {
  expect(() => arrangementOf(body)).toThrow(field);
});
