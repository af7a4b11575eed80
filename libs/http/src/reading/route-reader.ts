import type { BodyClass, Route } from '@tender/contracts';
import { invalidParameter } from '../api-error';
import type { Note } from './parse-json';
import { parseQuery } from './parse-query';
import { RequestReader, type Read } from './request-reader';

/** A route with its readers. */
export interface RouteReader {
  readonly route: Route;
  readonly body: RequestReader | null;
  readonly query: RequestReader | null;
}

export function routeReader(route: Route): RouteReader {
  const readerOf = (type: BodyClass | undefined) => (type ? new RequestReader(type) : null);
  return { route, body: readerOf(route.body), query: readerOf(route.query) };
}

/** What stands behind the `?`, as the route's class reads it; throws `ApiError`. */
export function readQuery(url: string, { query: reader }: RouteReader): object {
  const at = url.indexOf('?');
  const { query, faults } = parseQuery(at < 0 ? '' : url.slice(at + 1));
  if (faults.length > 0) throw invalidParameter(...faults);
  return reader ? reader.readQuery(query) : query;
}

/** The parsed body as the route's class reads it; a route without one reads no field. Throws `ApiError`. */
export function readBody(
  parsed: unknown,
  notes: readonly Note[],
  { route, body: reader }: RouteReader,
): Read {
  const may_be_missing = reader === null || route.body_optional;
  const body = parsed === undefined && may_be_missing ? {} : parsed;
  if (body === undefined) {
    throw invalidParameter({ field: 'body', message: 'is required: send a JSON object' });
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidParameter({ field: 'body', message: 'must be a JSON object' });
  }
  return reader ? reader.readBody(body, notes) : { value: {}, ignored: Object.keys(body) };
}
