import {
  ASSETS_PATH,
  loadAssets,
  policyOf,
  renderApprovePage,
  renderNothing,
  renderPage,
  type LoadedAssets,
} from '@tender/approval-page';
import { compressPage, ICON, languageOf, takenForm } from '@tender/page';
import { onLocalhost } from '@tender/kernel';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

export interface ApprovalServerOptions {
  /** Where clients reach the API. Asked with each page: the embedded run knows it late. */
  readonly api_url: () => string;
  /** Loaded from the build unless given. */
  readonly assets?: LoadedAssets;
}

const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy':
    'publickey-credentials-create=(self), publickey-credentials-get=(self), camera=(), geolocation=(), microphone=()',
} as const;
/** A page of the API that has opened this one is handed what the passkey has signed. */
const KEEPS_ITS_OPENER = { 'Cross-Origin-Opener-Policy': 'unsafe-none' } as const;
const FOR_A_DAY = 'public, max-age=86400';
/** A name never stands for other bytes. */
const FOR_EVER = 'public, max-age=31536000, immutable';
const HEADER_BYTES_MAX = 16 * 1024;
const REQUEST_MS = 10_000;

interface SentPage {
  readonly status?: number;
  /** Origins that its script may ask. */
  readonly asks?: readonly string[];
  readonly html: string;
}

/**
 * The pages on which merchants use passkeys that sign, on an origin of their own: files alone. It knows no merchant,
 * takes no body and sets no cookie, asks nothing and logs nothing of a request; the link’s token never reaches it.
 */
export function approvalServer({
  api_url,
  assets = loadAssets(),
}: ApprovalServerOptions): FastifyInstance {
  const server = emptyServer();
  const sendPage = (
    request: FastifyRequest,
    reply: FastifyReply,
    { status = 200, asks = [], html }: SentPage,
  ) => {
    const form = takenForm(request.headers['accept-encoding']);
    if (form) void reply.header('Content-Encoding', form);
    return reply
      .status(status)
      .headers({
        'Cache-Control': 'no-store',
        'Content-Security-Policy': policyOf(assets, asks),
        Vary: 'Accept-Language, Accept-Encoding',
      })
      .type('text/html; charset=utf-8')
      .send(form ? compressPage(html, form) : html);
  };

  const sendNothing = (request: FastifyRequest, reply: FastifyReply) =>
    sendPage(request, reply, { status: 404, html: renderNothing(spoken(request), assets) });

  server.get('/healthz', (_, reply) => reply.header('Cache-Control', 'no-store').send({ status: 'ok' }));
  server.get('/icon.svg', (_, reply) =>
    reply.header('Cache-Control', FOR_A_DAY).type('image/svg+xml').send(ICON),
  );
  server.get('/passkey-setup', (request, reply) => {
    const data = { language: spoken(request), api: new URL(api_url()).origin };
    return sendPage(request, reply, { asks: [data.api], html: renderPage(data, assets) });
  });
  server.get('/approve', (request, reply) => {
    const own = [new URL(api_url()), onLocalhost(api_url())].map(({ origin }) => origin);
    const data = { language: spoken(request), openers: [...new Set(own)] };
    void reply.headers(KEEPS_ITS_OPENER);
    return sendPage(request, reply, { html: renderApprovePage(data, assets) });
  });
  server.get<{ Params: { name: string } }>(`${ASSETS_PATH}:name`, (request, reply) => {
    const asset = assets.scripts.get(request.params.name);
    if (!asset) return sendNothing(request, reply);
    const form = takenForm(request.headers['accept-encoding']);
    if (form) void reply.header('Content-Encoding', form);
    return reply
      .headers({ 'Cache-Control': FOR_EVER, Vary: 'Accept-Encoding' })
      .type('text/javascript; charset=utf-8')
      .send(form ? asset[form] : asset.plain);
  });
  server.setNotFoundHandler(sendNothing);
  // What could be said of it could hold what was sent.
  server.setErrorHandler((error: { readonly statusCode?: number }, _, reply) =>
    reply.status(error.statusCode ?? 500).send(),
  );
  return server;
}

function spoken({ url, headers }: FastifyRequest) {
  const asked = /[?&]lang=(\w+)/.exec(url)?.[1];
  return languageOf(asked, headers['accept-language']);
}

/** It takes no bodies, and keeps nothing of what is asked. */
function emptyServer(): FastifyInstance {
  const server = fastify({
    logger: false,
    trustProxy: false,
    requestTimeout: REQUEST_MS,
    http: { maxHeaderSize: HEADER_BYTES_MAX, headersTimeout: REQUEST_MS },
    routerOptions: { querystringParser: () => ({}) },
    frameworkErrors: (_, __, reply: FastifyReply) => void reply.status(400).headers(HEADERS).send(),
  });
  server.removeAllContentTypeParsers();
  server.addHook('onRequest', (_, reply, done) => {
    void reply.headers(HEADERS);
    done();
  });
  return server;
}
