import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import {
  asyncApiDocument,
  openApiDocument,
  readAsyncApi,
  readHealth,
  readOpenApi,
  readReadiness,
  readReference,
  readReferenceScript,
  type Route,
} from '@tender/contracts';
import { Unavailable } from '@tender/eventing';
import type { FastifyInstance } from 'fastify';
import { sendPage, type SharedPage } from './answering/shared-page';
import type { EdgeOptions } from './edge-options';
import { readinessOf } from './readiness';

/** Health, the two descriptions, and the interactive reference. */
export function platformPages(
  fastify: FastifyInstance,
  { runtime, ready, config }: EdgeOptions,
  routes: readonly Route[],
): void {
  const openApi = once(() => jsonPage(openApiDocument(routes, config.public_url ?? '/')));
  const asyncApi = once(() => jsonPage(asyncApiDocument()));

  fastify.get(readHealth.path, () => ({ status: 'ok' }));
  fastify.get(readReadiness.path, async () => {
    if (!(await ready())) throw new Unavailable('the service');
    return readinessOf(runtime);
  });
  fastify.get(readOpenApi.path, (_, reply) => sendPage(reply, openApi()));
  fastify.get(readAsyncApi.path, (_, reply) => sendPage(reply, asyncApi()));
  fastify.get(readReference.path, (_, reply) => {
    const nonce = runtime.random.bytes(16).toString('base64');
    return reply
      .header('Content-Security-Policy', policyOf(nonce))
      .type('text/html; charset=utf-8')
      .send(pageOf(nonce));
  });
  fastify.get(readReferenceScript.path, (_, reply) => sendPage(reply, script()));
}

const jsonPage = (document: object): SharedPage => ({
  content_type: 'application/json; charset=utf-8',
  bytes: Buffer.from(JSON.stringify(document)),
});

/** Nothing from elsewhere: no font, proxy, analytics or frame, and no script without this page's nonce. */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src-elem 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const REFERENCE = {
  url: readOpenApi.path,
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  mcp: { disabled: true },
  agent: { disabled: true },
};

const pageOf = (nonce: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta property="csp-nonce" content="${nonce}">
<title>Tender API reference</title>
</head>
<body>
<div id="reference"></div>
<noscript>The reference needs JavaScript. The same in JSON: <a href="${readOpenApi.path}">OpenAPI</a>.</noscript>
<script nonce="${nonce}" src="${readReferenceScript.path}"></script>
<script nonce="${nonce}">Scalar.createApiReference('#reference', ${JSON.stringify(REFERENCE)})</script>
</body>
</html>
`;

/** The browser bundle of the installed package; its exports name no file in that folder. */
const script = once((): SharedPage => {
  const main = createRequire(__filename).resolve('@scalar/api-reference');
  const file = path.join(path.dirname(main), 'browser', 'standalone.js');
  return { content_type: 'text/javascript; charset=utf-8', bytes: readFileSync(file) };
});

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
