import { connect, type AddressInfo } from 'node:net';
import { allRoutes, openApiDocument, type Route } from '@tender/contracts';
import { Unavailable } from '@tender/eventing';
import type { InjectOptions } from 'fastify';
import {
  ADMIN_TOKEN,
  bearer,
  EdgeStage,
  LIVE_KEY,
  OWN_PAGE,
  paymentId,
  session,
  SESSION_TOKEN,
  SETUP_TOKEN,
  TEST_KEY,
} from './testing/edge-stage';

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
}
interface Operation {
  readonly description?: string;
  readonly responses: Record<string, unknown>;
}

const { paths } = openApiDocument(allRoutes, '/') as Document;
const documented = ({ path, method }: Route): readonly number[] =>
  Object.keys(paths[path]?.[method.toLowerCase()]?.responses ?? {}).map(Number);

const JSON_TYPE = { 'content-type': 'application/json' };
const credentialsOf = ({ auth }: Route): Record<string, string> => {
  if (auth === 'key' || auth === 'key_or_nobody') return bearer(TEST_KEY);
  if (auth === 'session' || auth === 'setup') return { ...session(SESSION_TOKEN), ...OWN_PAGE };
  return auth === 'admin' || auth === 'helper' ? bearer(ADMIN_TOKEN) : {};
};
const objectOf = (route: Route): string => route.path.replaceAll(/\{\w+\}/g, paymentId(1));

type Asked = Omit<InjectOptions, 'method' | 'path'>;

/** What strangers, slips and faults make the edge answer, whatever the route is for. */
const ODDITIES: Readonly<Record<string, (route: Route, url: string) => Asked>> = {
  'an odd query': (_, url) => ({ url: `${url}?x=%zz` }),
  'brackets in the query': (_, url) => ({ url: `${url}?a[b]=1` }),
  'an odd path': ({ path }) => ({ url: path.replaceAll(/\{\w+\}/g, 'a%0d%0ab') }),
  'half a percent code in the path': ({ path }) => ({ url: path.replaceAll(/\{\w+\}/g, '%zz') }),
  'an id that is none': ({ path }) => ({ url: path.replaceAll(/\{\w+\}/g, '..%2f') }),
  'an id that is too long': ({ path }) => ({ url: path.replaceAll(/\{\w+\}/g, 'x'.repeat(200)) }),
  'an empty credential': (_, url) => ({ url, headers: { authorization: '' } }),
  'a key of the wrong form': (_, url) => ({ url, headers: bearer('svc_test_x') }),
  'a live key': (_, url) => ({ url, headers: bearer(LIVE_KEY) }),
  'a session': (_, url) => ({ url, headers: { ...session(SESSION_TOKEN), ...OWN_PAGE } }),
  'a session from another page': (_, url) => ({ url, headers: session(SESSION_TOKEN) }),
  'a session that has ended': (_, url) => ({ url, headers: session('x'.repeat(43)) }),
  'a set-up token': (_, url) => ({ url, headers: bearer(SETUP_TOKEN) }),
  'a body of another type': (_, url) => ({ url, payload: 'x', headers: { 'content-type': 'text/plain' } }),
  'a packed body': (_, url) => ({ url, payload: '{}', headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } }),
  'a body that is no JSON': (_, url) => ({ url, payload: '{', headers: JSON_TYPE }),
  'an empty object': (_, url) => ({ url, payload: '{}', headers: JSON_TYPE }),
  'a large body': (_, url) => ({ url, payload: ' '.repeat(70_000), headers: JSON_TYPE }),
  'an odd Idempotency-Key': (_, url) => ({ url, headers: { 'idempotency-key': 'ü' } }),
};

async function statusesOf(stage: EdgeStage, route: Route): Promise<Map<number, string>> {
  const url = objectOf(route);
  const seen = new Map<number, string>();
  for (const [name, odd] of Object.entries(ODDITIES)) {
    const asked = odd(route, url);
    const headers = { ...credentialsOf(route), ...asked.headers };
    const { statusCode } = await stage.server.inject({ ...asked, method: route.method, headers });
    seen.set(statusCode, name);
  }
  return seen;
}

const failing = (fault: () => Error) =>
  Object.fromEntries(
    allRoutes.map(({ id }) => [
      id,
      () => {
        throw fault();
      },
    ]),
  );

describe('the document names every status that can come', () => {
  const stage = new EdgeStage({ config: { rate_limits: 'off' } });

  const byId = allRoutes.map((route) => [route.id, route] as const);
  it.each(byId)('%s: odd requests', async (_, route) => {
    for (const [status, name] of await statusesOf(stage, route)) {
      expect([name, documented(route)]).toEqual([name, expect.arrayContaining([status])]);
    }
  });

  it.each([
    ['a fault of ours', 500, () => new Error('a fault of this spec')],
    ['a part that does not answer', 503, () => new Unavailable('a part')],
  ])('%s', async (_, status, fault) => {
    const broken = new EdgeStage({ config: { rate_limits: 'off' }, handlers: failing(fault) });
    for (const route of allRoutes) {
      if (route.context === 'gateway') continue;
      const { statusCode } = await broken.server.inject({
        ...{ method: route.method, url: objectOf(route), headers: credentialsOf(route) },
      });
      if (statusCode < 500) continue;
      expect([route.id, statusCode]).toEqual([route.id, status]);
      expect([route.id, documented(route)]).toEqual([route.id, expect.arrayContaining([status])]);
    }
  });

  it('a full house', async () => {
    const full = new EdgeStage({ config: { requests_max: 0 } });
    for (const route of allRoutes) {
      if (route.auth === 'open') continue;
      const asked = { method: route.method, url: objectOf(route) };
      const { statusCode } = await full.server.inject(asked);
      expect([route.id, statusCode, documented(route)]).toEqual([
        ...[route.id, 503],
        expect.arrayContaining([503]),
      ]);
    }
  });

  it('a full house of pages and probes', async () => {
    const full = new EdgeStage();
    // What is let in is not answered, and keeps its place.
    full.server.addHook('onSend', (_, { statusCode }, __, done) => {
      if (statusCode === 503) done();
    });
    for (const route of allRoutes.filter(({ auth }) => auth === 'open')) {
      const asked = Array.from({ length: 21 }, () =>
        full.server.inject({ method: route.method, url: route.path }),
      );
      const { statusCode } = await Promise.race(asked);
      expect([route.id, statusCode, documented(route)]).toEqual([
        ...[route.id, 503],
        expect.arrayContaining([503]),
      ]);
    }
  });

  it('a limit that is used up', async () => {
    const used = new EdgeStage({ holder: { limits: { creation: 0, read: 0, other: 0 } } });
    for (const route of allRoutes.filter(({ auth }) => auth !== 'open')) {
      expect([route.id, documented(route)]).toEqual([route.id, expect.arrayContaining([429])]);
      if (!['creation', 'read', 'other'].includes(route.limit)) continue;
      const { statusCode } = await used.server.inject({
        ...{ method: route.method, url: objectOf(route), headers: credentialsOf(route) },
      });
      expect([route.id, statusCode]).toEqual([route.id, 429]);
    }
  });
});

describe('what the server answers before there is a route', () => {
  const stage = new EdgeStage();
  let port: number;

  beforeAll(async () => {
    await stage.server.listen({ port: 0, host: '127.0.0.1' });
    ({ port } = stage.server.server.address() as AddressInfo);
  });
  afterAll(() => stage.server.close());

  const statusOf = (head: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(head));
      socket.once('data', (bytes) => {
        socket.destroy();
        resolve(Number(bytes.toString().split(' ')[1]));
      });
      socket.once('error', reject);
    });

  it('an odd Expect is in the document of every route', async () => {
    for (const route of allRoutes) {
      const head = `${route.method} ${objectOf(route)} HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n`;
      expect([route.id, await statusOf(head)]).toEqual([route.id, 417]);
      expect([route.id, documented(route)]).toEqual([route.id, expect.arrayContaining([417])]);
    }
  });

  it('headers that are too large are in the document of every route', async () => {
    for (const route of allRoutes) {
      const head = `${route.method} ${objectOf(route)} HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`;
      expect([route.id, await statusOf(head)]).toEqual([route.id, 431]);
      expect([route.id, documented(route)]).toEqual([route.id, expect.arrayContaining([431, 408])]);
    }
  });
});

test('no route lists a status that only other methods of its path get', () => {
  for (const route of allRoutes) expect(documented(route)).not.toContain(405);
});

test('what takes a form says that pages post it', () => {
  const operations = Object.values(paths).flatMap(Object.values<Operation>);
  const described = operations.filter(({ description }) => description);
  expect(described).toHaveLength((allRoutes as readonly Route[]).filter(({ form }) => form).length);
  expect(new Set(described.map(({ description }) => description))).toEqual(
    new Set([expect.stringMatching(/posts its form here.*Programs use the API/)]),
  );
});
