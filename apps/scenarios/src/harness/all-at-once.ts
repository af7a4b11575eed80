import { idempotencyKey, type Answer, type Client } from './client';

/**
 * Sends a POST as many times at once, each under a key of its own. A hundred may be more than a busy machine screens in
 * time: a client that is told to come again does so once the crowd has gone, one after the other.
 */
export async function allAtOnce(
  count: number,
  path: string,
  clientOf: (n: number) => Client,
  body?: object,
): Promise<readonly Answer[]> {
  const keys = Array.from({ length: count }, idempotencyKey);
  const send = (key: Record<string, string>, n: number) =>
    clientOf(n).once().post(path, body, key);
  const answers = await Promise.all(keys.map(send));
  for (const [n, { status }] of answers.entries()) {
    if (status === 503) answers[n] = await clientOf(n).post(path, body, keys[n]);
  }
  return answers;
}
