import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import PostalMime, { type Address } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { ownCertificate } from '@tender/adapter-outbound/testing';
import type { ArrivedMail } from '@tender/eventing/testing';
import type { MailServer } from '../index';

export const CERTIFICATE = ownCertificate();
export const LOGIN = { user: 'tender', password: 'of the mail server' };

/** What the server does with one mail that it has read; answers with an error or with null. */
export type Judge = (session: SMTPServerSession) => Error | null | 'drop';

export interface Delivery extends ArrivedMail {
  readonly encrypted: boolean;
  readonly source: string;
}

/** What a server of mail answers in words of its own. */
export const reply = (responseCode: number, words: string): Error =>
  Object.assign(new Error(words), { responseCode });

/** A server of mail on a loopback port: STARTTLS and AUTH, unless `options` say otherwise. */
export async function startMailServer(options: SMTPServerOptions = {}, port = 0) {
  const delivered: Delivery[] = [];
  const sessions = new Set<string>();
  const logins: string[] = [];
  let judge: Judge = () => null;

  const server = new SMTPServer({
    ...CERTIFICATE,
    closeTimeout: 1,
    onAuth({ username = '', password }, _, done) {
      logins.push(username);
      const is_right = username === LOGIN.user && password === LOGIN.password;
      if (is_right) done(null, { user: username });
      else done(reply(535, `no ${username} with ${password}`));
    },
    async onData(stream, session, done) {
      const source = await text(stream);
      const judged = judge(session);
      // What was read is kept, whatever the client hears.
      if (judged === null || judged === 'drop') delivered.push(await deliveryOf(source, session));
      if (judged === 'drop') for (const connection of server.connections) connection._socket.destroy();
      else done(judged);
    },
    ...options,
  });
  server.on('error', () => undefined);
  server.on('connect', ({ id }: SMTPServerSession) => sessions.add(id));
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const bound = (server.server.address() as AddressInfo).port;

  return {
    delivered,
    logins,
    port: bound,
    connections: () => server.connections,
    /** The server as settings name it. */
    settings: (changes: Partial<MailServer> = {}): MailServer => ({
      ...{ host: '127.0.0.1', port: bound, secure: false, require_tls: true, login: LOGIN },
      from: 'no-reply@pay.example',
      ...changes,
    }),
    judgeBy: (next: Judge) => void (judge = next),
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

async function deliveryOf(source: string, session: SMTPServerSession): Promise<Delivery> {
  const parsed = await PostalMime.parse(source);
  const boxOf = (address: Address | undefined) => ({
    name: address?.name ?? '',
    address: address?.address ?? '',
  });
  return {
    ...{ source, encrypted: session.secure, message_id: parsed.messageId ?? '' },
    recipients: session.envelope.rcptTo.map(({ address }) => address),
    from_name: parsed.from?.name ?? '',
    to: boxOf(parsed.to?.[0]),
    reply_to: parsed.replyTo?.[0] ? boxOf(parsed.replyTo[0]) : null,
    ...{ subject: parsed.subject ?? '', text: parsed.text ?? '', html: parsed.html ?? '' },
  };
}
