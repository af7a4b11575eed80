import type { IncomingMessage } from 'node:http';
import type { Route } from '@tender/contracts';

/** Seconds for which a browser keeps what a preflight has told it. */
const KEPT_SECONDS = 600;
/** What its pages send beside what every page may. */
const HEADERS = 'authorization, content-type';
/** What its pages read beside what every page may. */
const READ = 'Retry-After, X-Correlation-Id';

type Asked = Pick<IncomingMessage, 'method' | 'headers'>;
type Headers = Readonly<Record<string, string>>;

/**
 * The one other origin whose scripts may read answers, of the routes that are made for them, and never with a cookie
 * (S18): the pages on which merchants use passkeys that sign. `urlOf` is asked with each request: where the embedded
 * run serves these pages is known late.
 */
export function approvalOrigin(urlOf: () => string | null) {
  const isFromThere = ({ headers }: Asked): boolean => {
    const url = urlOf();
    return url !== null && headers.origin !== undefined && headers.origin === originOf(url);
  };

  return {
    /** What an answer of this route tells the browser beside the rest. */
    headersFor(request: Asked, { approval }: Pick<Route, 'approval'>): Headers {
      if (!approval) return {};
      if (!isFromThere(request)) return { Vary: 'Origin' };
      const origin = request.headers.origin as string;
      return { Vary: 'Origin', 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': READ };
    },

    /** The answer to a browser that asks whether it may ask; null: it may not, or asks for something else. */
    preflight(request: Asked, methods: readonly string[]): Headers | null {
      const { 'access-control-request-method': wanted } = request.headers;
      if (request.method !== 'OPTIONS' || wanted === undefined) return null;
      if (!methods.includes(wanted) || !isFromThere(request)) return null;
      return {
        Vary: 'Origin',
        'Access-Control-Allow-Origin': request.headers.origin as string,
        'Access-Control-Allow-Methods': methods.join(', '),
        'Access-Control-Allow-Headers': HEADERS,
        'Access-Control-Max-Age': String(KEPT_SECONDS),
      };
    },
  };
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
