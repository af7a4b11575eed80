import { databaseAddress, eventStoreAddress, isSameServer } from './addresses';

test.each([
  ['postgres://tender:s3cret@db.example:5433/shop', 'postgres://tender@db.example:5433/shop'],
  ['postgresql://db.example/shop?password=s3cret', 'postgresql://db.example/shop'],
  ['postgres://tender:s3%40cret@127.0.0.1:5432/postgres', 'postgres://tender@127.0.0.1:5432/postgres'],
])('%s is shown without its password', (url, shown) => {
  expect(databaseAddress(url)).toBe(shown);
});

test.each([
  ['esdb://admin:s3cret@one:2113?tls=false', 'esdb://one:2113'],
  ['esdb+discover://admin:s3@c?r/et@one:2113,two:2113/?tls=true', 'esdb+discover://one:2113,two:2113'],
  ['kurrentdb://127.0.0.1:2113', 'kurrentdb://127.0.0.1:2113'],
  ['esdb://one:2113?defaultDeadline=1&x=a@s3cret!', 'esdb://(not shown)'],
])('%s is shown as hosts alone', (url, shown) => {
  expect(eventStoreAddress(url)).toBe(shown);
});

test('a server is known by its port, and every loopback name is the same', () => {
  expect(isSameServer('postgres://a:b@127.0.0.1:7/x', 'postgres://localhost:7/y')).toBe(true);
  expect(isSameServer('postgres://db/x', 'postgres://db:5432/y')).toBe(true);
  expect(isSameServer('postgres://127.0.0.1:7/x', 'postgres://127.0.0.1:8/x')).toBe(false);
  expect(isSameServer('postgres://db:7/x', 'postgres://127.0.0.1:7/x')).toBe(false);
});
