import { ApiError } from './api-error';
import { done, refuse, type Outcome } from '@tender/kernel';

/** What a client would get as an error is a refusal by name to a context that asks, `retry_after` (seconds) with it. */
export async function outcomeOf<Value, Refusal extends string>(
  work: () => Promise<Value>,
): Promise<Outcome<Value, Refusal>> {
  try {
    return done(await work());
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { 'Retry-After': after } = error.headers;
    const again = after === undefined ? {} : { retry_after: Number(after) };
    return refuse(error.code as Refusal, { ...error.details, ...again });
  }
}
