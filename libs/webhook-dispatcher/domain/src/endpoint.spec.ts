import { stateAfter } from '@tender/eventing/testing';
import { decide, type CommandOf } from '@tender/kernel';
import { endpointDecider, signingSecrets, type Endpoint, type EndpointEvent } from './endpoint';
import history from './recorded/endpoint-v1.json';

type EndpointCommand = CommandOf<typeof endpointDecider>;

const DAY_MS = 24 * 60 * 60 * 1000;

const after = (...commands: readonly EndpointCommand[]) =>
  commands.reduce<Endpoint>((state, command) => {
    const decision = decide(endpointDecider, command, state);
    if (!decision.ok) throw new Error('an endpoint refuses nothing');
    return decision.events.reduce(endpointDecider.evolve, state);
  }, endpointDecider.initial);

const configure = (
  secret: string,
  at: number,
  url: string | null = 'https://a.example/',
): EndpointCommand => ({
  type: 'ConfigureEndpoint',
  url,
  secret,
  at,
});
const open = (secret: string, url: string | null): EndpointCommand => ({
  type: 'OpenEndpoint',
  url,
  secret,
  at: 0,
});
const provide = (secret: string): EndpointCommand => ({ type: 'ProvideSecret', secret });

test('the first secret signs alone', () => {
  expect(signingSecrets(after(configure('s1', 5)), 5)).toEqual(['s1']);
});

test('a replaced secret co-signs for 24 hours', () => {
  const endpoint = after(configure('s1', 0), configure('s2', 1000));
  expect(signingSecrets(endpoint, 1000)).toEqual(['s2', 's1']);
  expect(signingSecrets(endpoint, 1000 + DAY_MS - 1)).toEqual(['s2', 's1']);
  expect(signingSecrets(endpoint, 1000 + DAY_MS)).toEqual(['s2']);
});

test('never more than two sign', () => {
  const endpoint = after(configure('s1', 0), configure('s2', 1), configure('s3', 2));
  expect(signingSecrets(endpoint, 3)).toEqual(['s3', 's2']);
});

test('turning delivery off makes a new secret too', () => {
  const endpoint = after(configure('s1', 0), configure('s2', 1, null));
  expect(endpoint).toMatchObject({ url: null, secret: 's2' });
});

test('a secret is provided once, and only where there is none', () => {
  const provided = after(provide('s1'), provide('s2'));
  expect(provided).toMatchObject({ secret: 's1', url: null, configured: false });
  expect(after(configure('s1', 0), provide('s2'))).toMatchObject({ secret: 's1' });
});

test('what sign-up said counts unless the merchant has spoken since', () => {
  expect(after(provide('s1'), open('s2', 'https://b.example/'))).toMatchObject({
    url: 'https://b.example/',
    secret: 's2',
    configured: true,
  });
  expect(after(configure('s1', 0), open('s2', 'https://b.example/'))).toMatchObject({
    url: 'https://a.example/',
    secret: 's1',
  });
});

test('a recorded history of version 1 folds as it did', () => {
  const states = (history as readonly EndpointEvent[]).map((_, index, events) =>
    stateAfter(endpointDecider, events.slice(0, index + 1)),
  );
  const [provided, configured, turned_off] = ['c2VhbGVkIHNlY3JldCAw', 'c2VhbGVkIHNlY3JldCAx', 'c2VhbGVkIHNlY3JldCAy'];
  const [url, previous] = ['https://shop.example.com/hooks', null];
  expect(states).toEqual([
    { url: null, secret: provided, previous, shown: false, configured: false },
    { url, secret: configured, previous, shown: true, configured: true },
    {
      ...{ url: null, secret: turned_off, shown: true, configured: true },
      previous: { secret: configured, until: 1_767_312_000_000 },
    },
  ]);
});
