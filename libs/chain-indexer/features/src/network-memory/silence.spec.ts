import { Silence, SILENCE_MS } from './silence';

let wall = 1_000;
const clock = { now: () => wall, wall: () => wall };

function asking(silence: Silence) {
  let answer: () => void = () => undefined;
  const answered = silence.ask(() => new Promise<void>((resolve) => (answer = resolve)));
  return async () => {
    answer();
    await answered;
  };
}

test('a chain that is asked nothing is not silent', () => {
  const silence = new Silence(clock);
  wall += 2 * SILENCE_MS;
  expect(silence.too_long).toBe(false);
});

test('it is silent when a question has waited for ten seconds, until it is answered', async () => {
  const silence = new Silence(clock);
  const answer = asking(silence);
  wall += SILENCE_MS - 1;
  expect(silence.too_long).toBe(false);
  wall += 1;
  expect(silence.too_long).toBe(true);
  await answer();
  expect(silence.too_long).toBe(false);
});

test('it is not silent while it answers other questions', async () => {
  const silence = new Silence(clock);
  asking(silence);
  wall += SILENCE_MS;
  await asking(silence)();
  expect(silence.too_long).toBe(false);
  wall += SILENCE_MS;
  expect(silence.too_long).toBe(true);
});

test('a fault is an answer, and reaches who has asked', async () => {
  const silence = new Silence(clock);
  await expect(silence.ask(() => Promise.reject(new Error('a fault')))).rejects.toThrow('a fault');
  wall += SILENCE_MS;
  expect(silence.too_long).toBe(false);
});
