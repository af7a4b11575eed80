import { expect } from '@jest/globals';
import { eventually } from '../../harness/eventually';
import type { RunningProgram } from '../../harness/running-program';
import { storedEvents } from '../../harness/stored-events';

export interface SignUp {
  readonly key: string;
  readonly email: string;
  answer: string | null;
}

/** What the gateway itself writes are merchants: they come as long as the load does. */
async function signUp(program: RunningProgram, { key, email }: SignUp) {
  return program
    .client()
    .once()
    .post('/api/v1/merchants', shop(email), { 'idempotency-key': key })
    .catch(() => null);
}

const shop = (email: string) => ({
  name: 'Corner Shop',
  email,
  business_address: '5 High Street',
  wallet_generation_method: 'external',
  wallet_address: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
});

export async function signUpUntil(
  program: RunningProgram,
  over: () => boolean,
  name: string,
): Promise<SignUp[]> {
  const all: SignUp[] = [];
  while (!over()) {
    const key = `sign-up-${name}-${all.length}`;
    const email = `${key.replace(/[^a-z0-9]+/gi, '-')}@tender.test`;
    const one: SignUp = { key, email, answer: null };
    all.push(one);
    const answer = await signUp(program, one);
    if (answer?.status === 201) one.answer = answer.text;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  return all;
}

/** Each has one merchant, and is answered now as it was then. */
export async function checkSignUps(
  program: RunningProgram,
  all: readonly SignUp[],
): Promise<void> {
  const ids = new Set<string>();
  for (const one of all) {
    const answer = await eventually(() => signUp(program, one), (given) => given?.status === 201);
    if (one.answer !== null) expect(answer?.text).toBe(one.answer);
    ids.add(answer?.json.id as string);
  }
  expect(ids.size).toBe(all.length);
  const logged = await storedEvents(program, 'merchant.all');
  for (const id of ids) {
    const created = logged.filter(({ stream, revision }) => stream.endsWith(id) && revision === 0);
    expect(created).toHaveLength(1);
  }
}
