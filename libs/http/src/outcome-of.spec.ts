import { ApiError } from './api-error';
import { outcomeOf } from './outcome-of';

test('an error is a refusal by its code, and says when to ask again', async () => {
  const fails = (headers?: Record<string, string>) =>
    outcomeOf(async () => {
      throw new ApiError(429, 'too_many_open_payments', 'Too many.', { open: 3 }, headers);
    });
  expect(await fails()).toEqual({ ok: false, refusal: 'too_many_open_payments', details: { open: 3 } });
  expect(await fails({ 'Retry-After': '600' })).toMatchObject({ details: { open: 3, retry_after: 600 } });
  await expect(outcomeOf(async () => { throw new Error('a bug'); })).rejects.toThrow('a bug');
});
