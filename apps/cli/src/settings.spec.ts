import { readDatabaseUrl } from './settings';

const read = (DATABASE_URL: string) => readDatabaseUrl({ DATABASE_URL });

const withPassword = (password: string) => `postgres://tender:${password}@db:5432/tender`;

test.each([withPassword('one'), withPassword('100%25'), 'postgresql://tender@db/tender'])('%s is taken', (given) => {
  expect(read(given)).toBe(given);
});

test.each(['db:5432', 'https://db/tender', withPassword('%zz'), 'postgres://db/100%'])(
  '%s is refused in a sentence that does not repeat it',
  (given) => {
    expect(() => read(given)).toThrow(/^DATABASE_URL is not a URL that begins with postgres:.*percent-encoded/);
    expect(() => read(given)).not.toThrow(given);
  },
);
