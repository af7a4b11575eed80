import type { ClockMoved } from '@tender/eventing';
import { clockDecider } from './clock';
import history from './recorded/clock-v1.json';

test('a recorded history of version 1 folds as it did', () => {
  const moves = history as readonly ClockMoved[];
  const offset = moves.reduce(clockDecider.evolve, clockDecider.initial);
  expect(offset).toEqual({ offset_ms: 90_061_000 });
});
