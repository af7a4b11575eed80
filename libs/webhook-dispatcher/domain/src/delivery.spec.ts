import {
  afterAttempt,
  isRetryable,
  RETRY_POLICY,
  SINGLE_ATTEMPT,
  type EndedAttempt,
} from './delivery';

const failed = (attempt: number, more: Partial<EndedAttempt> = {}): EndedAttempt => ({
  attempt,
  ended_at: 1_000_000,
  outcome: { delivered: false, retry_after_ms: null },
  chance: 0,
  ...more,
});
const asked = (retry_after_ms: number) =>
  ({ outcome: { delivered: false, retry_after_ms } }) as const;
const SECOND_MS = 1000;

test.each([
  [1, 30],
  [2, 120],
  [3, 600],
  [4, 3600],
])('after attempt %i the next one comes %i s after its end', (attempt, wait_s) => {
  expect(afterAttempt(RETRY_POLICY, failed(attempt))).toEqual({
    status: 'failed',
    next_attempt_at: 1_000_000 + wait_s * SECOND_MS,
  });
});

test('jitter only adds, and at most a tenth', () => {
  const { next_attempt_at } = afterAttempt(RETRY_POLICY, failed(4, { chance: 0.999 }));
  expect(next_attempt_at).toBe(1_000_000 + Math.floor(3600 * SECOND_MS * 1.0999));
});

test('the fifth failure, and any later one, exhausts', () => {
  for (const attempt of [5, 6, 40]) {
    const progress = afterAttempt(RETRY_POLICY, failed(attempt));
    expect(progress).toEqual({ status: 'exhausted', next_attempt_at: null });
  }
});

test('a 2xx delivers at any attempt', () => {
  for (const attempt of [1, 5, 9]) {
    const ended = failed(attempt, { outcome: { delivered: true } });
    const progress = afterAttempt(RETRY_POLICY, ended);
    expect(progress).toEqual({ status: 'delivered', next_attempt_at: null });
  }
});

test.each([
  ['less than the schedule', 1, 5, 30],
  ['more than the schedule', 1, 90, 90],
  ['more than an hour', 1, 86_400, 3600],
])('Retry-After of %s', (_, attempt, asked_s, wait_s) => {
  const ended = failed(attempt, asked(asked_s * SECOND_MS));
  const { next_attempt_at } = afterAttempt(RETRY_POLICY, ended);
  expect(next_attempt_at).toBe(1_000_000 + wait_s * SECOND_MS);
});

test('a test event has one attempt', () => {
  expect(afterAttempt(SINGLE_ATTEMPT, failed(1)).status).toBe('exhausted');
});

test('only what has failed can be asked for again', () => {
  expect((['pending', 'delivered', 'failed', 'exhausted'] as const).filter(isRetryable)).toEqual([
    'failed',
    'exhausted',
  ]);
});
