import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { Unavailable } from '@tender/eventing';
import { sampleMail } from '@tender/eventing/testing';
import { smtpMail, type SmtpMailOptions } from './index';
import { CERTIFICATE, LOGIN, reply, startMailServer } from './testing/mail-server';

type Server = Awaited<ReturnType<typeof startMailServer>>;

const PATIENT = {
  ...{ connect_ms: 120_000, greeting_ms: 120_000 },
  ...{ command_ms: 120_000, mail_ms: 120_000 },
};
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function serve(...options: Parameters<typeof startMailServer>): Promise<Server> {
  const server = await startMailServer(...options);
  closers.push(() => server.stop());
  return server;
}

function mailBy(server: SmtpMailOptions['server'], more: Partial<SmtpMailOptions> = {}) {
  const mail = smtpMail({ server, ca: CERTIFICATE.cert, deadlines: PATIENT, ...more });
  closers.push(() => mail.close());
  return mail;
}

/** Why the outcome is not known. */
async function unavailable(sending: Promise<unknown>): Promise<string> {
  const error = await sending.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Unavailable);
  // Neither the addresses, nor what the mail says, nor the password.
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/ada@|INV-2026|₦|of the mail/);
  return (error as Unavailable).message;
}

describe('encryption and login', () => {
  test('STARTTLS and the login come before the mail', async () => {
    const server = await serve();
    expect(await mailBy(server.settings()).send(sampleMail())).toEqual({ taken: true });
    expect(server.delivered).toMatchObject([{ encrypted: true }]);
    expect(server.logins).toEqual([LOGIN.user]);
  });

  test('TLS from the first byte', async () => {
    const server = await serve({ secure: true });
    const mail = mailBy(server.settings({ secure: true }));
    expect(await mail.send(sampleMail())).toEqual({ taken: true });
    expect(server.delivered).toMatchObject([{ encrypted: true }]);
  });

  test('STARTTLS is used where it is offered, though it is not required', async () => {
    const server = await serve();
    await mailBy(server.settings({ require_tls: false })).send(sampleMail());
    expect(server.delivered).toMatchObject([{ encrypted: true }]);
  });

  test('where STARTTLS is required and not offered, neither login nor mail is sent', async () => {
    const server = await serve({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
    const sending = mailBy(server.settings()).send(sampleMail());
    expect(await unavailable(sending)).toContain('the connection cannot be encrypted');
    expect([server.logins, server.delivered]).toEqual([[], []]);

    const clear = mailBy(server.settings({ require_tls: false }));
    expect(await clear.send(sampleMail())).toEqual({ taken: true });
  });

  test('a certificate of another authority is not trusted, required or not', async () => {
    const server = await serve();
    for (const require_tls of [true, false]) {
      const mail = smtpMail({ server: server.settings({ require_tls }), deadlines: PATIENT });
      closers.push(() => mail.close());
      expect(await unavailable(mail.send(sampleMail()))).toContain('SELF_SIGNED');
    }
    expect([server.logins, server.delivered]).toEqual([[], []]);
  });

  test('a login that is not taken is the operator’s, and no fault of the mail', async () => {
    const server = await serve();
    const wrong = { user: LOGIN.user, password: 'of the mail we had' };
    const sending = mailBy(server.settings({ login: wrong })).send(sampleMail());
    expect(await unavailable(sending)).toContain('it does not take the login (535');
    const none = mailBy(server.settings({ login: null })).send(sampleMail());
    expect(await unavailable(none)).toContain('(530');
    expect(server.delivered).toEqual([]);
  });
});

describe('a server that fails', () => {
  test('down, then back: the same mail goes through the same pool', async () => {
    const server = await startMailServer();
    await server.stop();
    const mail = mailBy(server.settings());
    expect(await unavailable(mail.send(sampleMail()))).toContain('ECONNREFUSED');
    const back = await serve({}, server.port);
    expect(await mail.send(sampleMail())).toEqual({ taken: true });
    expect(back.delivered).toHaveLength(1);
  });

  test('it drops the connection after DATA: unknown, and the repeat has the same Message-ID', async () => {
    const server = await serve();
    server.judgeBy(() => 'drop');
    const mail = mailBy(server.settings());
    await unavailable(mail.send(sampleMail()));
    expect(server.delivered).toHaveLength(1);
    server.judgeBy(() => null);
    expect(await mail.send(sampleMail())).toEqual({ taken: true });
    const [first, repeat, ...more] = server.delivered.map(({ message_id }) => message_id);
    expect([repeat, more]).toEqual([first, []]);
  });

  test('it drops the connection after DATA of a connection that has sent before: still one delivery', async () => {
    const server = await serve();
    const mail = mailBy(server.settings());
    await mail.send(sampleMail({ id: 'before' }));
    server.judgeBy(() => 'drop');
    await unavailable(mail.send(sampleMail()));
    expect(server.delivered).toHaveLength(2);
  });

  test('it closes an idle connection: the next mail goes over another one', async () => {
    const server = await serve();
    const mail = mailBy(server.settings());
    await mail.send(sampleMail({ id: 'before' }));
    for (const connection of server.connections()) connection._socket.destroy();
    expect(await mail.send(sampleMail())).toEqual({ taken: true });
    expect(server.delivered).toHaveLength(2);
  });

  const GREETING = '220 mail.example ESMTP\r\n';
  type Silence = readonly [string, Partial<typeof PATIENT>, (socket: Socket) => void];
  const silent: readonly Silence[] = [
    ['never greets', { greeting_ms: 100 }, () => undefined],
    ['is silent after a command', { command_ms: 100 }, (socket) => socket.write(GREETING)],
    [
      'answers by one byte at a time, for ever',
      { mail_ms: 300 },
      (socket) => {
        socket.write(GREETING);
        const drip = setInterval(() => socket.write('250-x\r\n'), 10);
        socket.on('close', () => clearInterval(drip));
      },
    ],
  ];
  test.each(silent)('it %s: the mail ends at its deadline, and its connection with it', async (_, short, onSocket) => {
    const closed = Promise.withResolvers<void>();
    const server = net.createServer((socket) => {
      socket.on('error', () => undefined).on('close', () => closed.resolve());
      onSocket(socket);
      socket.resume();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    closers.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const settings = { host: '127.0.0.1', port, secure: false, require_tls: false, login: null };
    const deadlines = { ...PATIENT, ...short };
    const mail = mailBy({ ...settings, from: 'no-reply@pay.example' }, { deadlines });
    expect(await unavailable(mail.send(sampleMail()))).toMatch(/in time/);
    await closed.promise;
  });

  test('closing ends what is on its way', async () => {
    const server = await serve({ onConnect: () => undefined });
    const mail = mailBy(server.settings());
    const sending = mail.send(sampleMail());
    while (server.connections().size === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    mail.close();
    await unavailable(sending);
  });
});

describe('a server that refuses', () => {
  const later = { code: 451, words: '4.7.1 greylisted <ada@example.com>' };
  const never = { code: 550, words: '5.1.1 <ada@example.com>: no such user, re INV-2026-000001' };
  const at = (step: 'onMailFrom' | 'onRcptTo', { code, words }: typeof never) => {
    const refuse = (_: unknown, __: unknown, done: (error: Error) => void): void =>
      done(reply(code, words));
    return serve({ [step]: refuse });
  };

  test.each([
    ['onMailFrom', 'sender_refused'],
    ['onRcptTo', 'recipient_refused'],
  ] as const)('at %s for good: %s, in numbers alone', async (step, refusal) => {
    const server = await at(step, never);
    const outcome = await mailBy(server.settings()).send(sampleMail());
    expect(outcome).toEqual({ taken: false, refusal, detail: '550 5.1.1' });
  });

  test.each([
    ['554 5.7.1', '<ada@example.com>: Relay access denied'],
    ['550 5.1.8', '<no-reply@pay.example>: Sender address rejected'],
  ])('%s at a recipient is about us: the same mail goes once the operator has mended it', async (codes, words) => {
    const [code, status] = codes.split(' ');
    const answers = [reply(Number(code), `${status} ${words}`), null];
    const server = await serve({ onRcptTo: (_, __, done) => done(answers.shift()) });
    const mail = mailBy(server.settings());
    const refused = { taken: false, refusal: 'sender_refused', detail: codes };
    expect(await mail.send(sampleMail())).toEqual(refused);
    expect(await mail.send(sampleMail())).toEqual({ taken: true });
    expect(server.delivered).toHaveLength(1);
  });

  test.each(['onMailFrom', 'onRcptTo'] as const)('at %s for now: try again', async (step) => {
    const server = await at(step, later);
    expect(await unavailable(mailBy(server.settings()).send(sampleMail()))).toContain('(451 4.7.1)');
  });

  test('the message, for good and for now; the pool goes on', async () => {
    const server = await serve();
    const mail = mailBy(server.settings());
    server.judgeBy(() => reply(554, '5.7.1 spam: Invoice INV-2026-000001 from ỌJÀ'));
    const refused = { taken: false, refusal: 'message_refused', detail: '554 5.7.1' };
    expect(await mail.send(sampleMail())).toEqual(refused);
    server.judgeBy(() => reply(452, '4.2.2 mailbox of ada@example.com is full'));
    expect(await unavailable(mail.send(sampleMail()))).toContain('(452 4.2.2)');
    server.judgeBy(() => null);
    expect(await mail.send(sampleMail())).toEqual({ taken: true });
  });
});

test('what the mail says of itself: generated, its language, no name of a library', async () => {
  const server = await serve();
  await mailBy(server.settings()).send(sampleMail({ language: 'fr' }));
  const [{ source }] = server.delivered as [Server['delivered'][number]];
  expect(source).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
  expect(source).toMatch(/^Content-Language: fr\r?$/m);
  expect(source).toMatch(/<no-reply@pay\.example>\r?$/m);
  expect(source).not.toMatch(/nodemailer|^(Bcc|X-)/im);
});

test('many mails share a few connections', async () => {
  let connected = 0;
  const server = await serve({
    onConnect: (_, done) => {
      connected += 1;
      done();
    },
  });
  const mail = mailBy(server.settings());
  const sent = Array.from({ length: 30 }, (_, id) => mail.send(sampleMail({ id: `mail-${id}` })));
  await Promise.all(sent);
  expect(server.delivered).toHaveLength(30);
  expect(connected).toBeLessThanOrEqual(3);
});
