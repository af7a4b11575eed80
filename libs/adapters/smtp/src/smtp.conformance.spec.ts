import { mailConformance } from '@tender/eventing/testing';
import { smtpMail } from './index';
import { CERTIFICATE, startMailServer } from './testing/mail-server';

mailConformance('SMTP', async () => {
  const server = await startMailServer();
  const mail = smtpMail({
    server: server.settings(),
    deadlines: { mail_ms: 120_000, connect_ms: 120_000, greeting_ms: 120_000, command_ms: 120_000 },
    ca: CERTIFICATE.cert,
  });
  return {
    mail,
    arrived: async () => [...server.delivered],
    async close() {
      mail.close();
      await server.stop();
    },
  };
});
