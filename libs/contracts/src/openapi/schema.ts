import { defaultMetadataStorage } from 'class-transformer/cjs/storage';
import { targetConstructorToSchema } from 'class-validator-jsonschema';
import { FIELD_RULES } from '../field-rules';
import type { BodyClass } from '../route';
import { traitsOf, type FieldTraits } from '../validation';

export type JsonSchema = { readonly [keyword: string]: unknown };

export interface ObjectSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** Keyword that names one of `FIELD_RULES`: the gateway's validator runs it, documents leave it out. */
export const RULE_KEYWORD = 'x-rule';

const dateTime = { type: 'string', format: 'date-time' };
const CONVERTERS = {
  // Left to themselves, bounds would turn an integer into a number, depending on the decorators' order.
  min: (meta: { constraints: unknown[] }) => ({ minimum: meta.constraints[0] }),
  max: (meta: { constraints: unknown[] }) => ({ maximum: meta.constraints[0] }),
  isPositive: { exclusiveMinimum: 0 },
  isDateString: dateTime,
  isIso8601: dateTime,
  ...Object.fromEntries(Object.entries(FIELD_RULES).map(([name, { schema }]) => [name, schema])),
};

/** The JSON Schema (2020-12) of a class with class-validator decorators; nested classes are `$ref`s under `prefix`. */
export function schemaOf(type: BodyClass, prefix: string): ObjectSchema {
  const made = targetConstructorToSchema(type, {
    refPointerPrefix: prefix,
    additionalConverters: CONVERTERS as never,
    classTransformerMetadataStorage: defaultMetadataStorage as never,
  }) as unknown as ObjectSchema;
  const traits = traitsOf(type);
  const properties = Object.fromEntries(
    Object.entries(made.properties ?? {}).map(([field, schema]) => [
      field,
      withTraits(schema, traits[field] ?? {}),
    ]),
  );
  return { ...made, type: 'object', properties };
}

function withTraits(schema: JsonSchema, traits: FieldTraits): JsonSchema {
  const { rule, or_null, not_yet, description, example } = traits;
  const ruled = rule ? { ...schema, ...FIELD_RULES[rule].schema, [RULE_KEYWORD]: rule } : schema;
  return {
    ...(or_null ? nullable(ruled) : ruled),
    ...(not_yet ? { 'x-not-yet-supported': true } : {}),
    ...(description ? { description } : {}),
    ...(example === undefined ? {} : { examples: [example] }),
  };
}

function nullable(schema: JsonSchema): JsonSchema {
  if (schema.type === undefined) return { anyOf: [schema, { type: 'null' }] };
  const types = [schema.type].flat();
  return {
    ...schema,
    type: [...types, 'null'],
    ...(Array.isArray(schema.enum) ? { enum: [...(schema.enum as unknown[]), null] } : {}),
  };
}

/** The classes of a class's nested fields (`@Type(() => Nested)`). */
export function nestedTypesOf(type: BodyClass): Readonly<Record<string, BodyClass>> {
  const fields = Object.keys(schemaOf(type, '').properties);
  return Object.fromEntries(
    fields.flatMap((field) => {
      const nested = defaultMetadataStorage.findTypeMetadata(type, field)?.typeFunction() as
        | BodyClass
        | undefined;
      return nested ? [[field, nested]] : [];
    }),
  );
}

/** These classes and all that they nest, by class name. Two classes of one name are a mistake: it throws. */
export function definitionsOf(
  types: Iterable<BodyClass>,
  prefix: string,
): Readonly<Record<string, ObjectSchema>> {
  const known = new Map<string, BodyClass>();
  const visit = (type: BodyClass): void => {
    const other = known.get(type.name);
    if (other === type) return;
    if (other) throw new Error(`Two contract classes are named ${type.name}. Rename one of them.`);
    known.set(type.name, type);
    Object.values(nestedTypesOf(type)).forEach(visit);
  };
  for (const type of types) visit(type);
  const sorted = [...known].sort(([name], [other]) => (name < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, type]) => [name, schemaOf(type, prefix)]));
}
