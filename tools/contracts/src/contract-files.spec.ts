import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020';
import {
  allRoutes,
  codesOf,
  statusOf,
  webhookFacts,
  type JsonSchema,
  type ObjectSchema,
} from '@tender/contracts';
import { contractFiles } from './contract-files';

const FOLDER = path.resolve(__dirname, '../../../contracts');
const files = contractFiles();
const parsed = (name: string) => JSON.parse(files.get(name) as string) as never;
interface Operation {
  operationId: string;
  responses: Record<string, unknown>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    messages: Record<string, { payload: JsonSchema }>;
  };
}

describe('contracts/', () => {
  it.each([...files.keys()])('%s is what the code says: if not, run "npm run contracts"', (name) => {
    const file = path.join(FOLDER, name);
    expect(existsSync(file) ? readFileSync(file, 'utf8') : null).toBe(files.get(name));
  });

  it('the OpenAPI document has every route once, with every status it may answer', () => {
    const { paths } = parsed('openapi.json') as Document;
    const operations = Object.values(paths).flatMap((byMethod) => Object.values(byMethod));
    const ids = operations.map(({ operationId }) => operationId).sort();
    expect(ids).toEqual(allRoutes.map(({ id }) => id).sort());
    expect(new Set(allRoutes.map(({ id }) => id)).size).toBe(allRoutes.length);
    for (const route of allRoutes) {
      const operation = paths[route.path]?.[route.method.toLowerCase()];
      const refusals = codesOf(route).map((code) => String(statusOf(route, code)));
      const statuses = [...Object.keys(route.answers), ...refusals];
      expect([route.id, Object.keys(operation?.responses ?? {}).sort()]).toEqual([
        route.id,
        [...new Set(statuses)].sort(),
      ]);
    }
  });

  it.each(['openapi.json', 'asyncapi.json'])('every reference of %s leads somewhere', (name) => {
    const document = parsed(name) as object;
    const refs = [...(files.get(name) as string).matchAll(/"\$ref": "#\/([^"]+)"/g)].map(([, ref]) => ref as string);
    expect(refs.length).toBeGreaterThan(10);
    for (const ref of new Set(refs)) {
      const found = ref.split('/').reduce<unknown>((at, part) => (at as Record<string, unknown>)?.[part], document);
      expect([ref, typeof found]).toEqual([ref, 'object']);
    }
  });

  it('no document shows what only our validator reads', () => {
    expect(files.get('openapi.json')).not.toContain('x-rule');
  });

  it.each(webhookFacts.map(({ webhook }) => webhook.name))('%s is described as it is sent', (name) => {
    const { components } = parsed('asyncapi.json') as Document;
    const examples = parsed('examples/messages.json') as Record<string, Record<string, object>>;
    const sent = examples[name] ?? {};
    const { properties } = components.messages[name]?.payload as ObjectSchema;
    expect(Object.keys(properties).sort()).toEqual(Object.keys(sent).sort());
    for (const [key, { $ref }] of Object.entries(properties)) {
      if (typeof $ref !== 'string') continue;
      const shown = components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)] as ObjectSchema;
      const fields = Object.keys(sent[key] ?? {});
      expect(Object.keys(shown.properties)).toEqual(expect.arrayContaining(fields));
      expect(fields).toEqual(expect.arrayContaining([...(shown.required ?? [])]));
    }
  });

  it('the examples fit their schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const { components } = parsed('asyncapi.json') as Document;
    const examples = parsed('examples/messages.json') as Record<string, unknown>;
    for (const [name, { payload }] of Object.entries(components.messages)) {
      const validate = ajv.compile({ ...payload, components });
      expect([name, validate(examples[name]), validate.errors]).toEqual([name, true, null]);
    }
  });
});
