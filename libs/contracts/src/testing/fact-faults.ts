import { Ajv2020 } from 'ajv/dist/2020';
import { allFacts } from '../catalogue';
import { wholeSchemaOf } from '../openapi/schema';

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });

/**
 * What is wrong with the data of a public event by the class of its fact: `required created_at`. A field that the
 * class does not name is as wrong as one that is missing: the contract does not publish it.
 */
export function factFaults(event: { readonly type: string; readonly data: unknown }): string[] {
  const fact = allFacts.find(({ type }) => type === event.type);
  if (!fact) return [`unknown type ${event.type}`];
  const validate = ajv.compile(closed(wholeSchemaOf(fact.data)) as object);
  if (validate(event.data)) return [];
  return (validate.errors ?? []).map(({ keyword, instancePath, params }) =>
    [keyword, instancePath, params.missingProperty ?? params.additionalProperty].filter(Boolean).join(' '),
  );
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.entries(schema).map(([keyword, part]) => [keyword, closed(part)]);
  const is_listed = 'properties' in schema && !('additionalProperties' in schema);
  return Object.fromEntries([...parts, ...(is_listed ? [['additionalProperties', false]] : [])]);
}
