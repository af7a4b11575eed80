import { allRoutes, openApiDocument, type Route } from '@tender/contracts';
import { ApiError } from '../api-error';
import { readBody, readQuery, routeReader } from './route-reader';

/** What is thrown while it reads; null where it reads. */
function thrownBy(read: () => unknown): unknown {
  try {
    read();
    return null;
  } catch (error) {
    return error;
  }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}
interface Operation {
  readonly requestBody?: { readonly content: Record<string, { readonly example?: object }> };
}
const { paths } = openApiDocument(allRoutes, '/') as Document;
const withBody = allRoutes.filter((route: Route) => route.body);

test.each(withBody.map((route) => [route.id, route] as const))(
  '%s: the example of the document is read whole',
  (_, route) => {
    const { requestBody } = paths[route.path]?.[route.method.toLowerCase()] as Operation;
    const example = requestBody?.content['application/json']?.example;
    expect(readBody(example, [], routeReader(route))).toEqual({ value: example, ignored: [] });
  },
);

// A class is compiled when it is first read: one that cannot be is found here, not by a merchant.
test.each(allRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s reads a body and a query, or says what is wrong with them',
  (_, route) => {
    const reader = routeReader(route);
    const thrown = [
      thrownBy(() => readBody({ strange: 1 }, [], reader)),
      thrownBy(() => readQuery(`${route.path}?strange=1`, reader)),
    ];
    for (const error of thrown) expect(error === null || error instanceof ApiError).toBe(true);
  },
);
