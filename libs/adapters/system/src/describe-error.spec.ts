import { Unavailable } from '@tender/eventing';
import { describeError } from './describe-error';

const coded = (code: string) => Object.assign(new Error(`connect ${code} 127.0.0.1:9092`), { code });

test.each([
  ['a part that is away', new Unavailable('kafka', { cause: coded('ECONNREFUSED') })],
  ['a connection that is refused', coded('ECONNREFUSED')],
  ['a Postgres that shuts down', coded('57P01')],
  ['a connection of Postgres that ends', new Error('Connection terminated unexpectedly')],
  ['Kafka that does not answer', Object.assign(new Error('Request timed out'), { name: 'KafkaJSError' })],
])('%s is described without a stack', (_, error) => {
  const told = JSON.stringify(describeError(error));
  expect(told).toContain(error.message);
  expect(told).not.toContain('describe-error.spec');
});

test('the cause of an outage is said', () => {
  const error = new Unavailable('kafka', { cause: coded('ECONNREFUSED') });
  expect(describeError(error)).toMatchObject({ why: 'connect ECONNREFUSED 127.0.0.1:9092' });
});

test.each([
  ['a mistake of ours', new TypeError('x is not a function')],
  ['a mistake of ours that seems to be an outage', new Unavailable('kafka', { cause: new TypeError('x') })],
])('%s keeps its stack', (_, error) => {
  expect(JSON.stringify(describeError(error))).toContain('describe-error.spec');
});
