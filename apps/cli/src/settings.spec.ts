import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readDatabaseUrl, readPlaces } from './settings';
import { leaveRunning } from './testing/data-folder';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'places-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['the services beside one process', 'shop', 'shop/distributed'],
  ['one process around the services', 'shop/distributed', 'shop'],
  ['a folder next to it', 'shop', 'other'],
  ['services next to it', 'shop', 'other/distributed'],
])('names %s where nothing runs on the folder that is asked for', (_, asked, running) => {
  const data_dir = path.join(folder, asked);
  const there = path.join(folder, running);
  const look = () => readPlaces({ DATA_DIR: data_dir });
  expect(look).toThrow(`Nothing runs on the data folder ${data_dir}`);
  expect(look).not.toThrow(`DATA_DIR=${there} `);
  leaveRunning(there, 1);
  expect(look).toThrow(`DATA_DIR=${there} (its program was killed, its Postgres is left)`);
  expect(look).toThrow(/Start the program \(npm start\), name its DATA_DIR, or give DATABASE_URL\.$/);
});

const readUrl = (DATABASE_URL: string) => readDatabaseUrl({ DATABASE_URL });

const withPassword = (password: string) => `postgres://tender:${password}@db:5432/tender`;

test.each([withPassword('one'), withPassword('100%25'), 'postgresql://tender@db/tender'])('%s is taken', (given) => {
  expect(readUrl(given)).toBe(given);
});

test.each(['db:5432', 'https://db/tender', withPassword('%zz'), 'postgres://db/100%'])(
  '%s is refused in a sentence that does not repeat it',
  (given) => {
    expect(() => readUrl(given)).toThrow(/^DATABASE_URL is not a URL that begins with postgres:.*percent-encoded/);
    expect(() => readUrl(given)).not.toThrow(given);
  },
);
