import { isEmailAddress } from './email-address';

describe('e-mail addresses', () => {
  it.each(['a@b.co', 'first.last+tag@shop.example.com', "o'neil@x-y.example", 'a+score70@tender.test'])(
    '%s is one',
    (text) => expect(isEmailAddress(text)).toBe(true),
  );

  it.each([
    '', 'a', '@b.co', 'a@', 'a@b', 'a@b..co', 'a@.co', 'a@b.co.', '.a@b.co', 'a.@b.co', 'a..b@c.co', 'a b@c.co',
    '"x@evil.com y"@good.com', 'a@good.com(x)evil.com', 'a(c)@b.co', 'a@b.co\r\nBcc: x@y.z', 'a@b.co\n', 'a@-b.co',
    'a@b-.co', 'a@[127.0.0.1]', 'a@1.2.3.4', 'a,b@c.co', '<a@b.co>', 'ä@b.co', `${'a'.repeat(65)}@b.co`,
    `a@${'b'.repeat(64)}.co`, `a@${'b.'.repeat(130)}co`,
  ])('%j is none', (text) => expect(isEmailAddress(text)).toBe(false));
});
