import type { ErrorPage } from '@tender/http';
import type { DoneFuncWithErrOrRes, FastifyReply, FastifyRequest } from 'fastify';
import type { RouteTable } from '../admission/route-table';
import { pathOf } from '../admission/unreadable';

/**
 * Where a browser has asked for a page, an error in the one shape that errors have becomes a page that says the same,
 * whichever service has refused: it keeps its status and its headers.
 */
export function pageErrors(table: RouteTable, errorPage: ErrorPage) {
  return function onSend(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: DoneFuncWithErrOrRes,
  ): void {
    const is_error = reply.statusCode >= 400 && isJson(reply);
    if (!is_error || !readsPages(request) || !isOfPage(request)) return done(null, payload);
    const after = Number(reply.getHeader('Retry-After'));
    const { html, policy } = errorPage({
      status: reply.statusCode,
      retry_after: after > 0 ? after : null,
      correlation_id: request.edge?.correlation_id ?? null,
      lang: languageAskedBy(request),
      accept_language: request.headers['accept-language'],
    });
    void reply.removeHeader('Content-Length');
    void reply.headers({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
      Vary: 'Accept, Accept-Language',
    });
    done(null, html);
  };

  function isOfPage({ raw, routeOptions }: FastifyRequest): boolean {
    const route = routeOptions.config.edge?.route;
    return route ? route.page === true : table.isPage(pathOf(raw.url ?? ''));
  }
}

const isJson = (reply: FastifyReply): boolean =>
  String(reply.getHeader('Content-Type')).startsWith('application/json');

/** Clients of the API ask for anything, or for JSON. */
const readsPages = ({ headers }: FastifyRequest): boolean =>
  headers.accept?.includes('text/html') ?? false;

/** What was refused early has no query that was read. */
const languageAskedBy = ({ raw }: FastifyRequest): string | undefined =>
  /[?&]lang=(\w+)/.exec(raw.url ?? '')?.[1];
