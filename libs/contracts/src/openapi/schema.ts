import { defaultMetadataStorage } from 'class-transformer/cjs/storage';
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import { targetConstructorToSchema } from 'class-validator-jsonschema';
import { FIELD_RULES } from '../field-rules';
import type { BodyClass } from '../route';
import { isLeftOut, traitsOf, type FieldTraits } from '../validation';

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
  isNull: { type: 'null' },
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
    Object.entries(made.properties ?? {})
      .filter(([field]) => !isLeftOut(type, field))
      .map(([field, schema]) => [field, withTraits(schema, traits[field] ?? {})]),
  );
  const required = made.required?.filter((field) => !isLeftOut(type, field));
  return { ...made, type: 'object', properties, ...(required ? { required } : {}) };
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

export interface Field {
  readonly name: string;
  /** It may be missing. */
  readonly optional: boolean;
}

/** The fields of a class, in the order in which they are declared: those of base classes first. */
export function fieldsOf(type: BodyClass): readonly Field[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);
  const classes: object[] = [];
  for (let one: BodyClass = type; one.prototype; one = Object.getPrototypeOf(one) as BodyClass) {
    classes.unshift(one);
  }
  const declared = classes.flatMap((one) => rules.filter(({ target }) => target === one));
  const optional = new Set(
    rules
      .filter((rule) => rule.type === ValidationTypes.CONDITIONAL_VALIDATION)
      .map(({ propertyName }) => propertyName),
  );
  return [...new Set(declared.map(({ propertyName }) => propertyName))]
    .filter((name) => !isLeftOut(type, name))
    .map((name) => ({ name, optional: optional.has(name) }));
}

/** The schema of a class and of all that it nests, in one piece. */
export function wholeSchemaOf(type: BodyClass): ObjectSchema {
  const { properties } = withoutRules(schemaOf(type, '')) as ObjectSchema;
  const nested = nestedTypesOf(type);
  const fields = fieldsOf(type);
  const whole = (name: string): unknown => {
    const inner = nested[name];
    return inner ? withoutRefs(properties[name], wholeSchemaOf(inner)) : properties[name];
  };
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name }) => [name, whole(name) as JsonSchema])),
    required: fields.filter(({ optional }) => !optional).map(({ name }) => name),
  };
}

function withoutRefs(schema: unknown, referred: JsonSchema): unknown {
  if (Array.isArray(schema)) return schema.map((part) => withoutRefs(part, referred));
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('$ref' in schema) return referred;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, part]) => [keyword, withoutRefs(part, referred)]),
  );
}

/** Without what only our own validator reads. */
export function withoutRules(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutRules);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => keyword !== RULE_KEYWORD)
      .map(([keyword, value]) => [keyword, withoutRules(value)]),
  );
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
