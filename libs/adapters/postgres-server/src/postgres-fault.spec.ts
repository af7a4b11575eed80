import { PostgresFault } from './postgres-fault';

test.each([
  ['LOG:  starting\nFATAL:  could not write to file: No space left\nHINT:  x', 'could not write to file: No space left'],
  ['initdb: error: could not create directory "x": Permission denied', 'could not create directory "x": Permission denied'],
  ['Killed', 'Killed'],
  ['', 'it says nothing'],
])('of what Postgres says, its last complaint is in the sentence: %j', (words, reason) => {
  expect(new PostgresFault('Postgres does not start', words).message).toBe(
    `Postgres does not start: ${reason}. Name another DATA_DIR, or set DATABASE_URL to a server.`,
  );
});
