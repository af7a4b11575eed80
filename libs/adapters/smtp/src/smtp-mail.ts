import { malformedMail, messageIdOf, type Mail, type OutgoingMail } from '@tender/eventing';
import { createTransport, type SendMailOptions, type SMTPPoolOptions } from 'nodemailer';
import { outcomeOf } from './outcome-of';

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; else STARTTLS where the server offers it. */
  readonly secure: boolean;
  /** No mail and no login goes over a connection that is not encrypted. */
  readonly require_tls: boolean;
  readonly login: { readonly user: string; readonly password: string } | null;
  /** The address of origin of every mail; bounces go there. */
  readonly from: string;
}

export interface MailDeadlines {
  readonly connect_ms: number;
  readonly greeting_ms: number;
  /** Silence of the server after a command. */
  readonly command_ms: number;
  /** The whole of one mail, its wait for a connection included. */
  readonly mail_ms: number;
}

const DEADLINES: MailDeadlines = {
  connect_ms: 10_000,
  greeting_ms: 10_000,
  command_ms: 30_000,
  mail_ms: 60_000,
};

export interface SmtpMailOptions {
  readonly server: MailServer;
  readonly deadlines?: Partial<MailDeadlines>;
  /** Authorities that are trusted in place of those of Node; PEM. */
  readonly ca?: string;
}

/** A connection that waits longer for the next mail is closed, before the server closes it. */
const IDLE_MS = 30_000;
const CONNECTIONS_MAX = 3;

/**
 * Mail through a server that speaks SMTP, over a pool of connections. What may have reached the server is not tried
 * again here.
 */
export function smtpMail(options: SmtpMailOptions): Mail & { close(): void } {
  const { server } = options;
  const deadlines = { ...DEADLINES, ...options.deadlines };
  const transport = createTransport({ pool: true, ...poolOptions(options, deadlines) });
  return {
    async send(mail) {
      const refused = malformedMail(mail);
      if (refused) return refused;
      const signal = AbortSignal.timeout(deadlines.mail_ms);
      try {
        await transport.sendMail({ ...messageOf(mail, server), signal });
        return { taken: true };
      } catch (error) {
        return outcomeOf(error);
      }
    },
    inbox: null,
    close: () => transport.close({ force: true }),
  };
}

function poolOptions(
  { server, ca }: SmtpMailOptions,
  { connect_ms, greeting_ms, command_ms }: MailDeadlines,
): SMTPPoolOptions {
  const { host, port, secure, require_tls, login } = server;
  return {
    ...{ host, port, secure, requireTLS: require_tls && !secure, name: domainOf(server.from) },
    // With a login, a server that forgets to offer AUTH is asked for it all the same.
    ...(login ? { auth: { user: login.user, pass: login.password }, forceAuth: true } : {}),
    tls: { minVersion: 'TLSv1.2', ...(ca ? { ca } : {}) },
    ...{ dnsTimeout: connect_ms, connectionTimeout: connect_ms },
    ...{ greetingTimeout: greeting_ms, socketTimeout: command_ms, socketCloseTimeout: 1_000 },
    ...{ maxConnections: CONNECTIONS_MAX, idleTimeout: IDLE_MS },
    // Only when not a byte of the mail was sent: the server had closed a connection that was idle.
    maxRequeues: 1,
  };
}

function messageOf(mail: OutgoingMail, { from }: MailServer): SendMailOptions {
  const { from_name, to, reply_to, subject, text, html, language } = mail;
  return {
    from: { name: from_name, address: from },
    ...(reply_to ? { replyTo: { ...reply_to } } : {}),
    ...{ to: { ...to }, subject, text, html },
    // The addresses that the server hears are never read out of text.
    envelope: { from, to: [to.address] },
    messageId: messageIdOf(mail.id, domainOf(from)),
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
    ...{ xMailer: false, disableFileAccess: true, disableUrlAccess: true },
  };
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);
