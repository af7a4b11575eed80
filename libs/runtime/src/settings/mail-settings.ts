import type { MailServer } from '@tender/adapter-smtp';
import { readFlag, readUrl, SettingsFault, type Env } from '@tender/eventing';
import { isEmailAddress } from '@tender/kernel';

/**
 * Where mails go: to a server, or into an inbox that the process shows. With a live chain outside, where people wait
 * for them, an inbox would lose them: they wait for `SMTP_URL`.
 */
export type MailWay = MailServer | 'inbox' | 'waits';

const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;
const PROTOCOLS = Object.keys(PORTS) as readonly (keyof typeof PORTS)[];
const THIS_MACHINE = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const FORM = 'SMTP_URL takes smtp:// or smtps://, a login or none, a host and a port or none';

/** Throws `SettingsFault`; no message has the URL, which may hold a password. */
export function readMailWay(env: Env, live_outside: boolean): MailWay {
  const text = readUrl(env, 'SMTP_URL', PROTOCOLS);
  const from = readAddressOfOrigin(env);
  if (text === null) return live_outside ? 'waits' : 'inbox';
  if (from === null) {
    throw new SettingsFault('MAIL_FROM is not set. It is the address of origin of every mail.');
  }
  const url = new URL(text);
  if (url.hostname === '' || !/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '') {
    throw new SettingsFault(`${FORM}, and nothing after them.`);
  }
  const protocol = url.protocol as keyof typeof PORTS;
  return {
    // Brackets are the URL's, not the address's.
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || PORTS[protocol],
    secure: protocol === 'smtps:',
    require_tls: readFlag(env, 'SMTP_REQUIRE_TLS', !THIS_MACHINE.test(url.hostname)),
    login: loginOf(url),
    from,
  };
}

function readAddressOfOrigin(env: Env): string | null {
  const from = env['MAIL_FROM'] || null;
  if (from === null || isEmailAddress(from)) return from;
  throw new SettingsFault('MAIL_FROM takes an e-mail address such as no-reply@pay.example.');
}

function loginOf({ username, password }: URL): MailServer['login'] {
  if (username === '' && password === '') return null;
  if (username === '' || password === '') throw new SettingsFault(`${FORM}: a login has a name and a password.`);
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    throw new SettingsFault(`${FORM}. A "%" in a login is written %25.`);
  }
}
