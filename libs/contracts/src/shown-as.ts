import { fieldsOf } from './openapi/schema';
import type { BodyClass } from './route';
import { traitsOf } from './validation';

/**
 * Shows a value as its class says: the fields of the class in their order, and no others. A record of an earlier
 * release may lack a field: null, unless the field is one that is left out where it does not apply.
 */
export function shownAs(type: BodyClass): (value: object) => object {
  const traits = traitsOf(type);
  const place = (name: string): number => traits[name]?.webhook_place ?? Number.MAX_SAFE_INTEGER;
  const fields = fieldsOf(type)
    .toSorted((one, other) => place(one.name) - place(other.name))
    .map(({ name, optional }) => ({ name, or_null: !optional || traits[name]?.or_null === true }));
  return (value) => {
    const from = value as Readonly<Record<string, unknown>>;
    const shown: Record<string, unknown> = {};
    for (const { name, or_null } of fields) {
      const part = from[name];
      if (part !== undefined || or_null) shown[name] = part ?? null;
    }
    return shown;
  };
}
