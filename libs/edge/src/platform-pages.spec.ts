import { allRoutes } from '@tender/contracts';
import { Unavailable } from '@tender/eventing';
import fastify from 'fastify';
import { mountEdge } from './mount-edge';
import { edgeServerOptions } from './server-options';
import { edgeOptionsOf, EdgeStage, paymentId, TEST_KEY } from './testing/edge-stage';

describe('pages of the platform', () => {
  const stage = new EdgeStage();

  it('health needs nothing, readiness says when requests are served', async () => {
    expect((await stage.get('/healthz', {})).json()).toEqual({ status: 'ok' });
    expect((await stage.get('/readyz', {})).statusCode).toBe(200);
    const server = fastify(edgeServerOptions());
    mountEdge(server, { ...edgeOptionsOf(new EdgeStage()), ready: () => Promise.resolve(false) });
    const waiting = await server.inject('/readyz');
    expect([waiting.statusCode, waiting.json<{ code: string }>().code]).toEqual([503, 'service_unavailable']);
    expect((await server.inject('/healthz')).statusCode).toBe(200);
  });

  it.each([
    ['says why', async () => ({ healthy: false, reason: 'the chain is unavailable' }), 'the chain is unavailable'],
    ['does not answer', () => Promise.reject(new Unavailable('calls')), 'the chain indexer does not answer'],
  ])('readiness names the network that is not followed: the indexer %s', async (_, live, reason) => {
    const unseen = new EdgeStage();
    unseen.chain_health.live = live;
    const answer = await unseen.get('/readyz', {});
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      status: 'degraded',
      checks: { chain_test: 'ok', chain_live: reason, sanctions: 'ok' },
    });
  });

  it.each([
    ['says why', async () => ({ healthy: false, reason: 'it is stale' }), 'it is stale'],
    ['does not answer', () => Promise.reject(new Unavailable('calls')), 'fraud does not answer'],
  ])('readiness tells of a sanctions list that lets no live payment through: fraud %s', async (_, health, sanctions) => {
    const unlisted = new EdgeStage();
    unlisted.sanctions_health = health;
    const answer = await unlisted.get('/readyz', {});
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { status: 'degraded', checks: { chain_test: 'ok', chain_live: 'ok', sanctions } },
    ]);
  });

  it('serves both descriptions', async () => {
    const openApi = await stage.get('/openapi.json', {});
    expect(openApi.headers['content-type']).toMatch(/^application\/json/);
    expect(openApi.json<{ openapi: string; paths: object }>().openapi).toBe('3.1.0');
    expect(Object.keys(openApi.json<{ paths: object }>().paths)).toHaveLength(
      new Set(allRoutes.map(({ path }) => path)).size,
    );
    expect((await stage.get('/asyncapi.json', {})).json<{ asyncapi: string }>().asyncapi).toBe('3.0.0');
  });

  it('leads browsers and programs from / to what is there', async () => {
    const open = (accept: string) => stage.get('/', { accept });
    const [page, links] = [await open('text/html,*/*;q=0.8'), await open('*/*')];
    expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', vary: 'Accept' });
    expect(page.headers['content-security-policy']).not.toMatch(/script|unsafe/);
    const named = Object.values(links.json<{ links: Record<string, string> }>().links);
    expect(named).toEqual(['/reference', '/openapi.json', '/asyncapi.json', '/healthz', '/readyz']);
    for (const path of named) {
      expect(page.body).toContain(`<a href="${path}">`);
      expect([path, (await stage.get(path, {})).statusCode]).toEqual([path, 200]);
    }
  });

  it('names the inbox only where this process shows one', async () => {
    const options = edgeOptionsOf(new EdgeStage());
    const server = fastify(edgeServerOptions());
    const mail = { ...options.runtime.mail, inbox: { list: () => [] } };
    mountEdge(server, { ...options, runtime: { ...options.runtime, mail } });
    expect((await server.inject('/')).body).toContain('/dev/inbox');
    expect((await stage.get('/', {})).body).not.toContain('/dev/inbox');
  });

  it('the reference has the key and the objects that it is tried with, and none where there are none', async () => {
    const server = fastify(edgeServerOptions());
    const trial = { api_key: TEST_KEY, examples: { getPayment: { path: { id: paymentId(7) } } } };
    mountEdge(server, { ...edgeOptionsOf(new EdgeStage()), trial: () => Promise.resolve(trial) });
    expect((await server.inject('/openapi.json')).body).not.toContain(paymentId(7));
    expect((await server.inject('/reference')).body).toContain(`{"token":"${TEST_KEY}"}`);
    expect((await server.inject('/openapi.json')).body).toContain(`"example":"${paymentId(7)}"`);
    expect((await stage.get('/reference', {})).body).toContain('{"token":""}');
  });

  it('describes no helper where there are none', async () => {
    const live = new EdgeStage({ config: { test_helpers: false } });
    expect((await live.get('/openapi.json', {})).body).not.toContain('test_helpers');
  });

  it('the reference uses nothing from elsewhere, and a new nonce each time', async () => {
    const [one, other] = [await stage.get('/reference', {}), await stage.get('/reference', {})];
    const policy = one.headers['content-security-policy'] as string;
    const [, nonce] = /script-src 'nonce-([^']+)'/.exec(policy) ?? [];
    expect(policy).not.toMatch(/https?:|\*|script-src[^;]*unsafe/);
    expect(one.body).not.toMatch(/https?:\/\//);
    expect(one.body.match(/<script/g)).toHaveLength(one.body.split(`<script nonce="${nonce}"`).length - 1);
    expect(other.headers['content-security-policy']).not.toBe(policy);
    expect((await stage.get('/healthz', {})).headers['content-security-policy']).toBeUndefined();
  });

  it('the reference’s script is served from here', async () => {
    const script = await stage.get('/reference/scalar.js', {});
    expect(script.statusCode).toBe(200);
    expect(script.headers['content-type']).toMatch(/^text\/javascript/);
    expect(script.body).toContain('createApiReference');
  });
});
