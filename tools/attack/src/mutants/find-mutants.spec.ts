import { mutantsIn } from './find-mutants';
import { signerMutants } from './signer-sources';

/** What a mutant has in place of what stood there. */
const found = (source: string, file = 'libs/signer/features/src/signing/any.ts') =>
  mutantsIn(file, source).map(({ code, what, line, source: changed }) => ({
    ...{ code, what, line, changed: changed.split('\n')[line - 1]?.trim() },
  }));

test('a guard is made to hold of everything', () => {
  expect(found("guard('op_expired', 'exp has not passed', ({ op }) => now < op.exp);")).toEqual([
    {
      ...{ code: 'op_expired', what: 'exp has not passed', line: 1 },
      changed:
        "({ ...guard('op_expired', 'exp has not passed', ({ op }) => now < op.exp), holds: () => true });",
    },
  ]);
  expect(found("once('rent', 'marker_missing', 'paid');\nrule(`v is ${V}`, isV);")).toMatchObject([
    { code: 'marker_missing', what: 'paid', line: 1 },
    { code: 'op_malformed', what: '`v is ${V}`', line: 2 },
  ]);
});

test('the definitions of guards are none', () => {
  expect(found('const rule = (says, holds) => guard(code, says, holds);')).toEqual([]);
});

test.each([
  ["if (frozen) return refuse('wallet_frozen', 'it is');", 'wallet_frozen', 'if (false) return'],
  ["if (a) { note(); return refuse('x', 'y'); }", 'x', 'if (false) { note()'],
  ["if (odd) throw new CeremonyFault('dkg_malformed', role);", 'dkg_malformed', 'if (false) throw'],
  ["if (odd) throw new LedgerRefused('it is not ours');", 'does not start', 'if (false) throw'],
  ["const f = () => used ? refuse('x', 'y') : body;", 'x', 'false ? refuse'],
  ["const f = () => good ? body : refuse('x', 'y');", 'x', 'true ? body'],
  ["const f = () => { if (good) return body; return refuse('x', 'y'); }", 'x', 'if (true) return'],
  ['if (fault !== null) return fault;', null, 'if (false) return fault'],
  ["if ('refused' in asked) return asked;", null, 'if (false) return asked'],
])('%s', (source, code, changed) => {
  expect(found(source)).toMatchObject([{ code, changed: expect.stringContaining(changed) }]);
});

test('what a server does not answer is a guard, too', () => {
  const file = 'apps/signer/src/server/any.ts';
  const source = 'if (long) return undefined;\nif (answered === null) return end(response, 401);';
  expect(found(source, file).map(({ code }) => code)).toEqual(['401', '401']);
});

test.each([
  'if (found) return found.value;',
  'if (begun) return begin(parts);',
  'if (a) throw new Error(text);',
  "if (a) return refuse('x', 'y'); else work();",
  'const f = () => (a ? b : null);',
  "const f = () => { if (!(e instanceof E)) throw e; return refuse(e.code, 'it broke'); }",
])('%s takes nothing away that could be missed', (source) => expect(found(source)).toEqual([]));

test('the guards of the signer are found, each with the line that it stands in', () => {
  const mutants = signerMutants();
  const of = (folder: string) => mutants.filter(({ file }) => file.startsWith(folder)).length;
  expect(mutants.length).toBeGreaterThanOrEqual(36);
  expect(of('libs/signer/domain')).toBeGreaterThanOrEqual(75);
  expect(of('libs/signer/features')).toBeGreaterThanOrEqual(40);
  expect(of('apps/signer/src/server')).toBeGreaterThanOrEqual(3);
  expect(of('libs/threshold')).toBeGreaterThanOrEqual(10);
  const places = mutants.map(({ file, line, what }) => `${file}:${line} ${what}`);
  expect(new Set(places).size).toBe(places.length);
});
