import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as contracts from '@tender/contracts';
import { CATALOGUE, CONTEXTS, type ContextName } from '@tender/contracts';
import { consumersOf, routesServedBy } from '@tender/http';
import { COMPOSITION } from './index';

const NAMES = Object.keys(CONTEXTS) as ContextName[];

test.each(NAMES)('%s is what the catalogue says', (name) => {
  const { routes, facts } = CATALOGUE[name];
  const { publishes, ...context } = COMPOSITION[name];
  expect(context.name).toBe(name);
  expect(routesServedBy(context).toSorted()).toEqual(routes.map(({ id }) => id).toSorted());
  const modes = new Set(publishes.categories.map((category) => category.split('.').at(-1)));
  const speaksIn = facts.length > 0 ? CONTEXTS[name].modes : [];
  expect([...modes].toSorted()).toEqual([...speaksIn].toSorted());
});

test('no two consumers have one name, and each name begins with its context', () => {
  const all = NAMES.flatMap((name) =>
    [...new Set(consumersOf(COMPOSITION[name]).map(({ consumer }) => consumer))].map((consumer) => {
      expect(consumer).toMatch(new RegExp(`^${name}\\.`));
      return consumer;
    }),
  );
  expect(new Set(all).size).toBe(all.length);
});

test('every question is in the catalogue, under the context that its name begins with', () => {
  const questions = Object.values(contracts).flatMap((value) =>
    typeof value === 'object' && value !== null && 'answered_by' in value ? [value] : [],
  );
  const listed = NAMES.flatMap((name) =>
    CATALOGUE[name].calls.map((question) => {
      expect(question.name).toMatch(new RegExp(`^${name}\\.`));
      return question;
    }),
  );
  expect(new Set(listed)).toEqual(new Set(questions));
  expect(listed.length).toBeGreaterThan(0);
});

test('each invariant that is checked has a rule in its page, and an alert of its own', () => {
  const checked = Object.values(COMPOSITION).flatMap(({ invariants = [] }) => invariants);
  const ids = new Set(checked.map(({ id }) => id));
  expect(ids.size).toBeGreaterThan(10);
  const read = (file: string) => readFileSync(path.resolve(__dirname, '../../..', file), 'utf8');
  const page = read('docs/invariants.md');
  expect([...ids].filter((id) => !page.includes(`\n| ${id} |`))).toEqual([]);
  const alerts = [...read('deploy/prometheus/alerts.yml').matchAll(/invariant="(\w+)"/g)];
  expect(alerts.map(([, id]) => id).toSorted()).toEqual([...ids].toSorted());
});

/** Which contexts a context hears. */
function heardBy(name: ContextName): string {
  const types = consumersOf(COMPOSITION[name]).flatMap((consumer) => consumer.types);
  const contexts = new Set(types.map((type) => type.slice(0, type.indexOf('.'))));
  return NAMES.filter((one) => contexts.has(one)).join(', ') || '–';
}

test('the table of the architecture page is that of the program: if not, put this in its place', () => {
  const page = readFileSync(path.resolve(__dirname, '../../../docs/architecture.md'), 'utf8');
  const rows = NAMES.map((name) => {
    const { service, owns } = CONTEXTS[name];
    const says = CATALOGUE[name].facts.map(({ type }) => type.split('.')[1]).join(', ') || '–';
    return `| ${name} | ${service} | ${owns} | ${says} | ${heardBy(name)} |`;
  });
  const head = '| Context | Service | Owns | Says | Hears |\n|---|---|---|---|---|';
  const [, table] = /## Contexts\n(\|[^]*?)\n\n/.exec(page) ?? [];
  expect(table).toBe([head, ...rows].join('\n'));
});
