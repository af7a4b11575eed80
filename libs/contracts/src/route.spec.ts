import { prefixedIds } from './object-ids';
import { allRoutes } from './catalogue';
import { schemaOf } from './openapi/schema';
import { route, type Route } from './route';

const sound: Route = {
  id: 'payPlan',
  method: 'PATCH',
  path: '/api/v1/made_up_plans/{id}',
  context: 'payments',
  auth: 'public',
  limit: 'other',
  idempotent: false,
  objects: { id: prefixedIds('plan', 'first id') },
  answers: { 200: null },
  refusals: [],
  summary: 'A route of this spec',
  tag: 'Plans',
};
const streaming = { stream: true, method: 'GET' } as const;
const form = { form: true, method: 'POST', context: 'checkout' } as const;
const old = { id: prefixedIds('plan', 'second release') };

test('a sound route is returned as it is', () => {
  expect(route(sound)).toBe(sound);
  expect(route({ ...sound, auth: 'key', objects: old })).toMatchObject({ auth: 'key' });
  expect(route({ ...sound, ...streaming })).toMatchObject({ stream: true });
  expect(route({ ...sound, ...form })).toMatchObject({ form: true });
  expect(route({ ...sound, auth: 'key_or_nobody' })).toMatchObject({ auth: 'key_or_nobody' });
});

test.each<[string, Partial<Route>]>([
  ['names {code}, which its path has not', { objects: { code: prefixedIds('plan', 'first id') } }],
  ['an old id at {id} would not say the mode', { objects: old }],
  ['an old id at {id} would not say the mode', { objects: old, auth: 'key_or_nobody' }],
  ['streams: it is a GET', { stream: true }],
  ['streams: it is a GET', { ...streaming, idempotent: true }],
  ['streams: it is a GET', { ...streaming, answers: { 204: null } }],
  ['takes a form: it is a POST', { form: true, method: 'POST' }],
  ['takes a form: it is a POST', { ...form, idempotent: true }],
  ['takes a form: it is a POST', { ...form, body: class {} }],
  ['public is no limit of a merchant', { auth: 'key_or_nobody', limit: 'public' }],
])('a route that %s is refused when it is loaded', (fault, changes) => {
  expect(() => route({ ...sound, ...changes })).toThrow(fault);
});

test('every route on which an admin changes something asks why', () => {
  const changing = allRoutes.filter(({ auth, method }) => auth === 'admin' && method !== 'GET');
  expect(changing.length).toBeGreaterThan(0);
  for (const { id, method, body, query } of changing as readonly Route[]) {
    const said = method === 'DELETE' ? query : body;
    const { properties, required = [] } = schemaOf(said as NonNullable<typeof said>, '');
    // The reason of a resolve is its notes (specification §2.11).
    const why = id === 'resolveFraudFlag' ? 'notes' : 'reason';
    expect([id, required.includes(why), properties[why]]).toEqual([
      ...[id, true],
      expect.objectContaining({ type: 'string', minLength: 1, maxLength: 500 }) as object,
    ]);
  }
});
