import { databaseAddress, eventStoreAddress, isSameServer } from './addresses';

const LOGIN = ['tender', 's3cret'].join(':');
const ODD = ['tender', 's3@c?r/et'].join(':');
const ENCODED = ['tender', 's3%40cret'].join(':');

test.each([
  [`postgres://${LOGIN}@db.example:5433/shop`, 'postgres://tender@db.example:5433/shop'],
  ['postgresql://db.example/shop?password=s3cret', 'postgresql://db.example/shop'],
  [`postgres://${ENCODED}@127.0.0.1:5432/postgres`, 'postgres://tender@127.0.0.1:5432/postgres'],
])('%s is shown without its password', (url, shown) => {
  expect(databaseAddress(url)).toBe(shown);
});

test.each([
  [`esdb://${LOGIN}@one:2113?tls=false`, 'esdb://one:2113'],
  [`esdb+discover://${ODD}@one:2113,two:2113/?tls=true`, 'esdb+discover://one:2113,two:2113'],
  ['kurrentdb://127.0.0.1:2113', 'kurrentdb://127.0.0.1:2113'],
  ['esdb://one:2113?defaultDeadline=1&x=a@s3cret!', 'esdb://(not shown)'],
])('%s is shown as hosts alone', (url, shown) => {
  expect(eventStoreAddress(url)).toBe(shown);
});

test('a server is known by its port, and every loopback name is the same', () => {
  expect(isSameServer(`postgres://${LOGIN}@127.0.0.1:7/x`, 'postgres://localhost:7/y')).toBe(true);
  expect(isSameServer('postgres://db/x', 'postgres://db:5432/y')).toBe(true);
  expect(isSameServer('postgres://127.0.0.1:7/x', 'postgres://127.0.0.1:8/x')).toBe(false);
  expect(isSameServer('postgres://db:7/x', 'postgres://127.0.0.1:7/x')).toBe(false);
});
