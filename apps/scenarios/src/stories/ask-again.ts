import type { Answer } from '../harness/client';

/** Seconds: no client is sent away for longer. */
const RETRY_AFTER_MAX = 6;

/** 503, and for how long the client should wait. */
export function expectAskAgain(answer: Answer): void {
  expect([answer.status, answer.json?.code]).toEqual([503, 'service_unavailable']);
  const wait_s = Number(answer.headers['retry-after']);
  expect(wait_s).toBeGreaterThan(0);
  expect(wait_s).toBeLessThanOrEqual(RETRY_AFTER_MAX);
}
