import { bearer, EdgeStage, paymentId, TEST_KEY, UNKNOWN_KEY } from '../testing/edge-stage';
import { clientAddresses, type Requester } from './client-address';

const PROXIES = ['10.0.0.0/8', '192.0.2.1/32', '2001:db8:ffff::/48'];
const of = (peer: string | undefined, forwarded?: string, proxies: readonly string[] = PROXIES) =>
  clientAddresses(proxies)({
    socket: { remoteAddress: peer },
    headers: { 'x-forwarded-for': forwarded },
  } as unknown as Requester);

describe('whose address it is', () => {
  it.each([
    ['a peer that is no proxy, whatever it says', '203.0.113.5', '198.51.100.7', '203.0.113.5'],
    ['a proxy that names no client', '10.0.0.1', undefined, '10.0.0.1'],
    ['a client behind a proxy', '10.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['a client behind several', '10.0.0.1', '198.51.100.7, 192.0.2.1,10.9.9.9', '198.51.100.7'],
    ['not what the client says of itself', '10.0.0.1', '1.1.1.1, 198.51.100.7', '198.51.100.7'],
    ['not a proxy that the client names', '10.0.0.1', '10.0.0.2, 198.51.100.7', '198.51.100.7'],
    ['a client that is a proxy', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['before what is no address', '10.0.0.1', '198.51.100.7, unknown, 10.0.0.2', '10.0.0.2'],
    ['before an entry that is empty', '10.0.0.1', ',10.0.0.2', '10.0.0.2'],
    ['the proxy, behind nothing readable', '10.0.0.1', '1', '10.0.0.1'],
    ['the proxy, behind an empty header', '10.0.0.1', '', '10.0.0.1'],
    ['IPv4 in IPv6', '::ffff:203.0.113.5', undefined, '203.0.113.5'],
    ['a proxy that is IPv4 in IPv6', '::ffff:10.0.0.1', '::FFFF:198.51.100.7', '198.51.100.7'],
    ['IPv6 behind IPv6', '2001:db8:ffff::1', '2001:DB8:0:1::a', '2001:db8:0:1::a'],
    ['a connection that is gone', undefined, '198.51.100.7', ''],
  ])('%s', (_, peer, forwarded, expected) => {
    expect(of(peer, forwarded).full).toBe(expected);
  });

  it('is the peer where no proxy is trusted', () => {
    expect(of('10.0.0.1', '198.51.100.7', [])).toMatchObject({ full: '10.0.0.1' });
  });

  it('counts IPv6 by the /64 that a host has to itself', () => {
    expect(of('2001:db8:0:1:2:3:4:5')).toMatchObject({
      full: '2001:db8:0:1:2:3:4:5',
      counted: '2001:db8:0:1::/64',
    });
    expect(of('2001:db8:0:1::9').counted).toBe('2001:db8:0:1::/64');
    expect(of('2001:db8:0:2::9').counted).not.toBe('2001:db8:0:1::/64');
    expect(of('203.0.113.5').counted).toBe('203.0.113.5');
  });
});

describe('clients behind a proxy', () => {
  const stage = new EdgeStage({ config: { trusted_proxies: PROXIES } });
  const ask = (forwarded: string, headers: object = {}, url = '/api/v1/payments') =>
    stage.server.inject({
      method: 'GET',
      url,
      headers: { ...headers, 'x-forwarded-for': forwarded },
      remoteAddress: '10.0.0.1',
    });

  it('have limits of their own', async () => {
    const bad = bearer(UNKNOWN_KEY);
    for (let at = 0; at < 60; at += 1) await ask('2001:db8::1', bad);
    expect((await ask('2001:db8::2', bad)).statusCode).toBe(429);
    expect((await ask('198.51.100.7', bad)).statusCode).toBe(401);
    const polled = `/api/v1/payments/${paymentId(1)}/status`;
    for (const left of ['3599', '3598']) {
      expect((await ask('198.51.100.8', {}, polled)).headers['x-ratelimit-remaining']).toBe(left);
    }
    expect((await ask('198.51.100.9', {}, polled)).headers['x-ratelimit-remaining']).toBe('3599');
  });

  it('are named whole in the context of their requests', async () => {
    const { caller } = (await ask('2001:db8:0:7::a:b', bearer(TEST_KEY))).json<{ caller: object }>();
    expect(caller).toMatchObject({ client_address: '2001:db8:0:7::a:b' });
  });
});
