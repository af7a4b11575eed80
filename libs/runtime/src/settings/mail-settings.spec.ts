import { readMailWay } from './mail-settings';

const MAIL_FROM = 'no-reply@pay.example';
const PASSWORD = 'let-me-in';
const SERVER = { SMTP_URL: 'smtp://mail.example', MAIL_FROM };

test('without a server mails go into an inbox; with a live chain outside they wait', () => {
  expect(readMailWay({}, false)).toBe('inbox');
  expect(readMailWay({ MAIL_FROM }, true)).toBe('waits');
});

test('a server is spoken to in TLS, at the port of its kind', () => {
  const server = { host: 'mail.example', login: null, from: MAIL_FROM, require_tls: true };
  expect(readMailWay(SERVER, true)).toEqual({ ...server, port: 587, secure: false });
  expect(readMailWay({ ...SERVER, SMTP_URL: 'smtps://mail.example/' }, false)).toEqual({
    ...{ ...server, port: 465, secure: true },
  });
});

test('a login may hold any character; a server on this machine needs no TLS', () => {
  const name = encodeURIComponent('tender@pay.example');
  const login = `${name}:${encodeURIComponent('p/a:s%s')}`;
  expect(readMailWay({ ...SERVER, SMTP_URL: `smtp://${login}@[::1]:1025` }, false)).toMatchObject({
    ...{ host: '::1', port: 1025, require_tls: false },
    login: { user: 'tender@pay.example', password: 'p/a:s%s' },
  });
});

test('a setting that is given wins over its default', () => {
  const told = (SMTP_URL: string, SMTP_REQUIRE_TLS: string) =>
    readMailWay({ MAIL_FROM, SMTP_URL, SMTP_REQUIRE_TLS }, false);
  expect(told('smtp://mail.example', 'false')).toMatchObject({ require_tls: false });
  expect(told('smtp://localhost', 'true')).toMatchObject({ require_tls: true });
});

test.each([
  { SMTP_URL: 'mail.example:587' },
  { SMTP_URL: `http://tender:${PASSWORD}@mail.example` },
  { SMTP_URL: `smtp://tender:${PASSWORD}@mail.example/?requireTLS=false` },
  { SMTP_URL: `smtp://tender:${PASSWORD}@mail.example/inbox` },
  { SMTP_URL: `smtp://${PASSWORD}@mail.example` },
  { SMTP_URL: `smtp://tender:${PASSWORD}%@mail.example` },
  { SMTP_URL: 'smtp:' },
  { SMTP_REQUIRE_TLS: 'yes' },
  { MAIL_FROM: '' },
  { MAIL_FROM: 'Tender <no-reply@pay.example>' },
  { MAIL_FROM: 'no-reply@pay.example\r\nBcc: x@y.example' },
])('%j is refused by a sentence that names it and shows no password', (env) => {
  const read = () => readMailWay({ ...SERVER, ...env }, false);
  expect(read).toThrow(new RegExp(`^${Object.keys(env)[0]} `));
  expect(read).not.toThrow(PASSWORD);
});
