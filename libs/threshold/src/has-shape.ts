export type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === 'string' && value.length > 0;

/** A list of exactly so many, each of which passes. */
export const listOf =
  (length: number, check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length === length && value.every((one) => check(one));

/** Whether a value from outside is an object with these fields, each as it must be, and no others. */
export function hasShape(value: unknown, fields: Readonly<Record<string, Check>>): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const names = Object.keys(fields);
  if (Object.keys(value).length !== names.length) return false;
  return names.every(
    (name) =>
      Object.hasOwn(value, name) &&
      (fields[name] as Check)((value as Readonly<Record<string, unknown>>)[name]),
  );
}
