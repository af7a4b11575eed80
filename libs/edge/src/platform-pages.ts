import {
  asyncApiDocument,
  openApiDocument,
  readAsyncApi,
  readHealth,
  readHome,
  readInboxPage,
  readOpenApi,
  readReadiness,
  readReference,
  readReferenceScript,
  type Route,
} from '@tender/contracts';
import { Unavailable } from '@tender/eventing';
import type { FastifyInstance } from 'fastify';
import { sendPage, type SharedPage } from './answering/shared-page';
import type { EdgeOptions, Trial } from './edge-options';
import { HOME_POLICY, homeLinks, homePage } from './home-page';
import { readinessOf } from './readiness';
import { referencePage, referencePolicy, referenceScript } from './reference-page';

/** Where things are, health, the two descriptions, and the interactive reference. */
export function platformPages(
  fastify: FastifyInstance,
  options: EdgeOptions,
  routes: readonly Route[],
): void {
  const { runtime, ready, config } = options;
  let trial: Trial | null = null;
  const openApi = onceFor((tried: Trial | null) =>
    jsonPage(openApiDocument(routes, config.public_url ?? '/', tried?.examples)),
  );
  const asyncApi = onceFor(() => jsonPage(asyncApiDocument()));
  const script = onceFor(referenceScript);
  const inbox = runtime.mail.inbox && routes.includes(readInboxPage) ? [readInboxPage] : [];
  const linked = [readReference, readOpenApi, readAsyncApi, readHealth, readReadiness, ...inbox];

  fastify.get(readHome.path, (request, reply) => {
    void reply.header('Vary', 'Accept');
    if (!request.headers.accept?.includes('text/html')) return homeLinks(linked);
    void reply.header('Content-Security-Policy', HOME_POLICY).type('text/html; charset=utf-8');
    return reply.send(homePage(linked));
  });
  fastify.get(readHealth.path, () => ({ status: 'ok' }));
  fastify.get(readReadiness.path, async () => {
    if (!(await ready())) throw new Unavailable('the service');
    return readinessOf(runtime);
  });
  fastify.get(readOpenApi.path, (_, reply) => sendPage(reply, openApi(trial)));
  fastify.get(readAsyncApi.path, (_, reply) => sendPage(reply, asyncApi(null)));
  fastify.get(readReference.path, async (_, reply) => {
    // The description that the page asks for next has its objects.
    trial = (await options.trial?.()) ?? null;
    const nonce = runtime.random.bytes(16).toString('base64');
    return reply
      .header('Content-Security-Policy', referencePolicy(nonce))
      .type('text/html; charset=utf-8')
      .send(referencePage(nonce, trial?.api_key ?? null));
  });
  fastify.get(readReferenceScript.path, (_, reply) => sendPage(reply, script(null)));
}

const jsonPage = (document: object): SharedPage => ({
  content_type: 'application/json; charset=utf-8',
  bytes: Buffer.from(JSON.stringify(document)),
});

/** What was made last, for as long as it is asked for the same. */
function onceFor<Subject, Value>(make: (subject: Subject) => Value): (subject: Subject) => Value {
  let made: { readonly subject: Subject; readonly value: Value } | undefined;
  return (subject) => {
    if (made?.subject !== subject) made = { subject, value: make(subject) };
    return made.value;
  };
}
