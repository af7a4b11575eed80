import { Unavailable } from '@tender/eventing';
import { describeError } from './describe-error';

const coded = (code: string) => Object.assign(new Error(`connect ${code} 127.0.0.1:9092`), { code });

const ENDED = 'Client has encountered a connection error and is not queryable';

test.each([
  ['a part that is away', new Unavailable('kafka', { cause: coded('ECONNREFUSED') })],
  ['a connection that is refused', coded('ECONNREFUSED')],
  ['a Postgres that shuts down', coded('57P01')],
  ['a connection of Postgres that ends', new Error('Connection terminated unexpectedly')],
  ['a connection of Postgres that has ended', new Error(ENDED)],
  ['a connection of Postgres that was closed', new Error('Client was closed and is not queryable')],
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

test('of several errors in one each is described: an outage in a line, a mistake of ours with its stack', () => {
  const error = new AggregateError([new Error(ENDED), coded('57P03'), new TypeError('x')], 'it did not end well');
  const mistake = { type: 'TypeError', stack: expect.stringContaining('describe-error.spec') as string };
  expect(describeError(error)).toEqual({
    ...{ type: 'AggregateError', message: 'it did not end well' },
    causes: [
      { type: 'Error', message: ENDED },
      { type: 'Error', message: 'connect 57P03 127.0.0.1:9092', code: '57P03' },
      expect.objectContaining(mistake),
    ],
  });
});
