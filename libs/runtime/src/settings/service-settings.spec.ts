import { readServiceSettings } from './service-settings';

const NEIGHBOURS = {
  sends_mail: true,
  asks_signers: true,
  name: 'gateway',
  addresses: new Map([
    ['gateway', 'GATEWAY_URL'],
    ['payments', 'PAYMENTS_URL'],
  ]),
};

const ENOUGH = {
  DATABASE_URL: 'postgres://tender:of-the-database@db/tender',
  INTERNAL_SECRET: 'kept by all processes and guessed by none',
  KAFKA_BROKERS: 'one:9092',
  SOLANA_RPC_URL_TEST: 'http://test.chain',
  SOLANA_RPC_URL_LIVE: 'http://live.chain',
  GATEWAY_URL: 'http://gateway:8081',
  PAYMENTS_URL: 'http://one.payments, http://other.payments:8080',
  PUBLIC_URL: 'https://pay.example/',
  APPROVAL_URL: 'https://approve.pay.example/',
};
const SECRETS = ['of-the-database', 'guessed', 'let-me-in'];

test('what is enough is taken, the rest has its defaults', () => {
  expect(readServiceSettings(ENOUGH, NEIGHBOURS)).toMatchObject({
    ...{ database_url: ENOUGH.DATABASE_URL, eventstore_url: null, kafka_brokers: ['one:9092'] },
    ...{ host: '127.0.0.1', port: 8080, master_key: null, webhook_allow_loopback: false },
    services: new Map([
      ['gateway', ['http://gateway:8081']],
      ['payments', ['http://one.payments', 'http://other.payments:8080']],
    ]),
    public_url: 'https://pay.example',
    approval_url: 'https://approve.pay.example',
  });
});

test('test and live never share a chain', () => {
  const env = { ...ENOUGH, SOLANA_RPC_URL_LIVE: `${ENOUGH.SOLANA_RPC_URL_TEST}/` };
  expect(() => readServiceSettings(env, NEIGHBOURS)).toThrow(
    /^SOLANA_RPC_URL_TEST and SOLANA_RPC_URL_LIVE name the same node/,
  );
});

test.each([
  ['DATABASE_URL', ''],
  ['DATABASE_URL', 'mysql://tender:of-the-database@db'],
  ['INTERNAL_SECRET', ''],
  ['INTERNAL_SECRET', 'let-me-in'],
  ['KAFKA_BROKERS', ''],
  ['EVENTSTORE_URL', 'http://admin:let-me-in@store'],
  ['SOLANA_RPC_URL_LIVE', 'live.chain/?key=let-me-in'],
  ['PAYMENTS_URL', 'http://payments, payments:8080'],
  ['PAYMENTS_URL', ''],
  ['PUBLIC_URL', 'shop.example'],
  ['PUBLIC_URL', ''],
  ['APPROVAL_URL', ''],
  ['APPROVAL_URL', 'approve.example'],
  ['PORT', '65536'],
  ['LOG_LEVEL', 'loud'],
  ['LOCALNET', '/there/is/no/such/file'],
  ['WEBHOOK_ALLOW_LOOPBACK', 'yes'],
])('%s as "%s" is refused by a sentence that names it and shows no secret', (name, value) => {
  const read = () => readServiceSettings({ ...ENOUGH, [name]: value }, NEIGHBOURS);
  expect(read).toThrow(new RegExp(`^${name} `));
  for (const secret of SECRETS) expect(read).not.toThrow(secret);
});

test('a service that writes to no one does not read where the server of mail is', () => {
  const env = { ...ENOUGH, SMTP_URL: 'smtp://mail.test', MAIL_FROM: 'no-reply@pay.test' };
  expect(readServiceSettings(env, NEIGHBOURS).mail).toMatchObject({ host: 'mail.test' });
  expect(readServiceSettings(env, { ...NEIGHBOURS, sends_mail: false }).mail).toBe('waits');
});
