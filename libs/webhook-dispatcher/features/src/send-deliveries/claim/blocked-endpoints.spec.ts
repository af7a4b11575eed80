import { BLOCKED_MS, BlockedEndpoints } from './blocked-endpoints';

test('an endpoint is blocked for a moment, counted from when it was last found so', () => {
  const blocked = new BlockedEndpoints();
  blocked.add(['e1', 'e2'], 0);
  blocked.add(['e1', 'e3'], 10);
  expect(blocked.at(BLOCKED_MS - 1)).toEqual(['e2', 'e1', 'e3']);
  expect(blocked.at(BLOCKED_MS)).toEqual(['e1', 'e3']);
  expect([blocked.at(BLOCKED_MS + 10), blocked.size]).toEqual([[], 0]);
});

test('no endpoint is blocked any more once a result was written', () => {
  const blocked = new BlockedEndpoints();
  blocked.add(['e1'], 0);
  blocked.clear();
  expect(blocked.at(0)).toEqual([]);
});
