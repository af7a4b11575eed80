import { paymentSettings } from './settings';

const place = { url: '', secretFile: () => '' };
const read = (env: NodeJS.ProcessEnv = {}) => paymentSettings.read(env, place);

test('a payment lives for 15 minutes, unless its lifetime is set', () => {
  expect(read().payment_lifetime_ms).toBe(900_000);
  expect(read({ PAYMENT_LIFETIME_SECONDS: '30' }).payment_lifetime_ms).toBe(30_000);
});

test.each(['29', '86401', '1.5', 'long'])('a lifetime of "%s" is refused by name', (text) => {
  expect(() => read({ PAYMENT_LIFETIME_SECONDS: text })).toThrow(/^PAYMENT_LIFETIME_SECONDS is/);
});

test('the checkout is at the address of the program, known once it listens', () => {
  const settings = read();
  place.url = 'http://127.0.0.1:8080';
  expect(settings.checkout_url).toBe('http://127.0.0.1:8080');
});
