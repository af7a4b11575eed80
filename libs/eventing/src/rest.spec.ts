import { Rest } from './rest.worker';

const FOR_EVER_MS = 3_600_000;

test('it lasts its time, or until it is ended', async () => {
  const rest = new Rest();
  await rest.take(1);
  expect(rest.isTaken).toBe(false);
  const resting = rest.take(FOR_EVER_MS);
  expect(rest.isTaken).toBe(true);
  rest.end();
  await resting;
  expect(rest.isTaken).toBe(false);
});

test('to end what is not taken does nothing to the next', async () => {
  const rest = new Rest();
  rest.end();
  const resting = rest.take(FOR_EVER_MS);
  expect(rest.isTaken).toBe(true);
  rest.end();
  rest.end();
  await resting;
});

test('who takes another ends the one before', async () => {
  const rest = new Rest();
  const first = rest.take(FOR_EVER_MS);
  const second = rest.take(FOR_EVER_MS);
  await first;
  expect(rest.isTaken).toBe(true);
  rest.end();
  await second;
});
