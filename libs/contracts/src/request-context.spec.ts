import { actorText, type Actor } from './request-context';

test.each<[Actor, string]>([
  [{ kind: 'key', key_id: 'key_test_1' }, 'key:key_test_1'],
  [{ kind: 'session', session_id: 's1' }, 'session:s1'],
  [{ kind: 'admin', reason: 'go live' }, 'admin'],
  [{ kind: 'admin', reason: null }, 'admin'],
  [{ kind: 'public' }, 'public'],
])('events keep %j as %s', (actor, text) => {
  expect(actorText(actor)).toBe(text);
});
