import { scrypt as inBrowsers } from './scrypt.browser';
import { scrypt as inNode } from './scrypt.node';

const COST = { N: 2 ** 12, r: 8, p: 2, dkLen: 32, maxmem: 2 ** 26 };
const bytes = (text: string) => new TextEncoder().encode(text);

test('a kit opens alike wherever its key is made', async () => {
  const made = [inBrowsers, inNode].map((scrypt) => scrypt(bytes('pass phrase'), bytes('salt'), COST));
  const [one, other] = await Promise.all(made);
  expect(other).toEqual(one);
  expect(one).toHaveLength(32);
});

test.each([
  ['on the way', inBrowsers, 2],
  ['at both ends', inNode, 1],
])('tells how far it is %s', async (_, scrypt, more_than) => {
  const told: number[] = [];
  await scrypt(bytes('pass phrase'), bytes('salt'), COST, (done) => told.push(done));
  expect(told.toSorted((a, b) => a - b)).toEqual(told);
  expect([told.length > more_than, told.at(-1)]).toEqual([true, 1]);
});
