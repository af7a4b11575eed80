import { readKafkaSettings } from './kafka-settings';

const BROKERS = { KAFKA_BROKERS: 'one:9092, two:9092' };
const LOGIN = { KAFKA_USERNAME: 'tender', KAFKA_PASSWORD: 'of the cluster' };
const securityOf = (env: NodeJS.ProcessEnv) =>
  readKafkaSettings({ ...BROKERS, ...env }).kafka_security;

test('brokers alone are spoken to in clear, without a login', () => {
  expect(readKafkaSettings(BROKERS)).toEqual({
    kafka_brokers: ['one:9092', 'two:9092'],
    kafka_security: { tls: false, login: null },
    kafka_namespace: '',
  });
});

test('a namespace keeps two systems apart on one cluster', () => {
  const { kafka_namespace } = readKafkaSettings({ ...BROKERS, KAFKA_NAMESPACE: 'shop-2.' });
  expect(kafka_namespace).toBe('shop-2.');
});

test('KAFKA_SSL encrypts without a login', () => {
  expect(securityOf({ KAFKA_SSL: 'true' })).toEqual({ tls: true, login: null });
});

test('a login is encrypted by default', () => {
  const login = { mechanism: 'scram-sha-512', username: 'tender', password: 'of the cluster' };
  expect(securityOf(LOGIN)).toEqual({ tls: true, login });
  expect(securityOf({ ...LOGIN, KAFKA_SASL_MECHANISM: 'plain', KAFKA_SSL: 'false' })).toEqual({
    tls: false,
    login: { ...login, mechanism: 'plain' },
  });
});

test.each([
  { KAFKA_USERNAME: 'tender' },
  { KAFKA_PASSWORD: 'of the cluster' },
  { ...LOGIN, KAFKA_SASL_MECHANISM: 'scram' },
  { KAFKA_SSL: 'yes' },
  { KAFKA_BROKERS: '' },
  { KAFKA_NAMESPACE: 'shop 2' },
])('%j is refused, by a sentence that does not say the password', (env) => {
  expect(() => securityOf(env)).toThrow(/^KAFKA_[A-Z_]+ (?!.*of the cluster)/);
});
