import type { Route } from '@tender/contracts';
import { ApiError, notFound, routerPath } from '@tender/http';
import { pathOf } from './unreadable';

/** Which methods a path takes: only an answer to a method that did not match names them (S10). */
export function routeTable(routes: readonly Route[]) {
  const byMethodAndUrl = new Map<string, Route>(
    routes.map((route) => [`${route.method} ${routerPath(route.path)}`, route]),
  );
  const paths = new Map<string, Served>();
  for (const { path, method, stream, approval, page = false } of routes) {
    const known = paths.get(path) ?? {
      ...{ pattern: patternOf(path), page },
      ...{ methods: new Set<string>(), for_approval: new Set<string>() },
    };
    known.methods.add(method);
    if (approval) known.for_approval.add(method);
    if (method === 'GET' && !stream) known.methods.add('HEAD');
    paths.set(path, known);
  }

  return {
    /** The route that a Fastify route serves; HEAD is GET without its body, and a stream would have no end. */
    served(method: string, url: string): Route | undefined {
      const route = byMethodAndUrl.get(`${method === 'HEAD' ? 'GET' : method} ${url}`);
      return method === 'HEAD' && route?.stream ? undefined : route;
    },

    /** Whether browsers open what is at this path. */
    isPage,

    /** The page that an address means which ends in slashes; null where it means none. */
    meantPage(url: string): string | null {
      const asked = pathOf(url);
      let end = asked.length;
      while (asked[end - 1] === '/') end -= 1;
      const path = asked.slice(0, end);
      return end < asked.length && isPage(path) ? path + url.slice(asked.length) : null;
    },

    /** The methods of this path that pages of the approval origin may use. */
    methodsForApproval: (path: string): readonly string[] =>
      [...paths.values()]
        .filter(({ pattern }) => pattern.test(path))
        .flatMap(({ for_approval }) => [...for_approval]),

    /** Why nothing serves this: 405 with `Allow` where another method would, else 404. */
    refusalOf(path: string): ApiError {
      const allowed = [...paths.values()]
        .filter(({ pattern }) => pattern.test(path))
        .flatMap(({ methods }) => [...methods]);
      if (allowed.length === 0) return notFound();
      const allow = [...new Set(allowed)].sort().join(', ');
      return new ApiError(405, 'method_not_allowed', `This path takes ${allow}.`, {}, { Allow: allow });
    },
  };

  function isPage(path: string): boolean {
    return [...paths.values()].some(({ pattern, page }) => page && pattern.test(path));
  }
}

interface Served {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
  readonly for_approval: Set<string>;
  readonly page: boolean;
}

export type RouteTable = ReturnType<typeof routeTable>;

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
