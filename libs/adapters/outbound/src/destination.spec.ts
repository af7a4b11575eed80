import { isBlocked } from './blocked-addresses';
import { readDestination } from './destination';

const refusedLive = (url: string) => !readDestination(url, false).ok;
const refusedEmbedded = (url: string) => !readDestination(url, true).ok;

test.each([
  'https://shop.example.com/hook',
  'https://shop.example.com:8443/hook?a=b',
  'https://shop.example.com.:443/',
  'https://bücher.example/',
])('%s may be called in both runs', (url) => {
  expect([refusedLive(url), refusedEmbedded(url)]).toEqual([false, false]);
});

test.each([
  'http://127.0.0.1:4242/hook',
  'http://127.9.9.9/',
  'http://localhost:3000/',
  'https://localhost/',
  'http://[::1]:3000/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://017700000001/',
  'http://127。0。0。1/',
  'http://①②⑦.⓪.⓪.①/',
  'http://ⓛocalhost/',
])('%s is this machine: in the embedded run only', (url) => {
  expect([refusedLive(url), refusedEmbedded(url)]).toEqual([true, false]);
});

test.each([
  '',
  'shop.example.com/hook',
  'http://shop.example.com/',
  'file:///etc/passwd',
  'gopher://shop.example.com/',
  'javascript:alert(1)',
  'https://user:pass@shop.example.com/',
  'https://user@localhost/',
  'https://shop.example.com/#fragment',
  'https://shop.example.com/#',
  'https://shop.example.com:22/',
  'https://shop.example.com:80/',
  'https://8.8.8.8/',
  'https://10.0.0.1/',
  'http://192.168.1.1/',
  'https://[2606:4700::1111]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:a00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[::127.0.0.1]/',
  'http://169.254.169.254/latest/meta-data',
  'https://metadata.google.internal/',
  'https://intranet/',
  'https://printer.local/',
  'https://x.localhost/',
  'https://0/',
  `https://shop.example.com/${'x'.repeat(2048)}`,
])('%s is refused in both runs', (url) => {
  expect([refusedLive(url), refusedEmbedded(url)]).toEqual([true, true]);
});

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '168.63.129.16',
  '169.254.169.254',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.19.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:10.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:a00:1::',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '::ffff:0:10.0.0.1',
  '2001:20::1',
  '2001:1ff::1',
  '4000::1',
  '1fff::1',
  'not an address',
])('%s is blocked', (address) => expect(isBlocked(address)).toBe(true));

test.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2001:200::1', '::ffff:8.8.8.8'])(
  '%s is public',
  (address) => expect(isBlocked(address)).toBe(false),
);
