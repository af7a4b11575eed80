import type { ClockMoved } from '@tender/eventing';
import { stateAfter } from '@tender/eventing/testing';
import { clockDecider } from './clock';
import history from './recorded/clock-v1.json';

test('a recorded history of version 1 folds as it did', () => {
  const offset = stateAfter(clockDecider, history as readonly ClockMoved[]);
  expect(offset).toEqual({ offset_ms: 90_061_000 });
});
