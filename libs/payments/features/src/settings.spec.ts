import { paymentSettings } from './settings';

const place = { url: '', approval_url: '', secretFile: () => '' };
const read = (env: NodeJS.ProcessEnv = {}) => paymentSettings.read(env, place);

test('a payment lives for 15 minutes, unless its lifetime is set', () => {
  expect(read().payment_lifetime_ms).toBe(900_000);
  expect(read({ PAYMENT_LIFETIME_SECONDS: '30' }).payment_lifetime_ms).toBe(30_000);
});

test.each(['29', '86401', '1.5', 'long'])('a lifetime of "%s" is refused by name', (text) => {
  expect(() => read({ PAYMENT_LIFETIME_SECONDS: text })).toThrow(/^PAYMENT_LIFETIME_SECONDS is/);
});

test('one address holds 20 uses of a link, unless that is set', () => {
  expect(read().link_uses_held_per_address).toBe(100);
  expect(read({ LINK_USES_HELD_PER_ADDRESS: '1' }).link_uses_held_per_address).toBe(1);
  expect(() => read({ LINK_USES_HELD_PER_ADDRESS: '0' })).toThrow(/^LINK_USES_HELD_PER_ADDRESS is/);
});

test('the checkout is at the address of the program, known once it listens', () => {
  const settings = read();
  place.url = 'http://127.0.0.1:8080';
  expect(settings.checkout_url).toBe('http://127.0.0.1:8080');
});
