import { invalidParameter } from '@tender/http';
import { LIST_KINDS, WINDOW_SECONDS_MAX, type Rule, type RuleTest } from '@tender/fraud-domain';

type Params = Readonly<Record<string, unknown>>;

/** What a rule of that kind looks at; throws 400 that names the parameter. What it does not know is left out. */
export function readTest(kind: Rule['kind'], params: object): RuleTest {
  const given = params as Params;
  switch (kind) {
    case 'velocity':
      return {
        kind,
        params: {
          by: oneOf(given, 'by'),
          window_seconds: whole(given, 'window_seconds', 60, WINDOW_SECONDS_MAX),
          max: whole(given, 'max', 1, 1_000_000),
        },
      };
    case 'amount':
      return { kind, params: { multiple: above(given, 'multiple', 1, 1_000_000) } };
    case 'first_payment':
      return { kind, params: { min_usd: above(given, 'min_usd', 0, 1_000_000_000) } };
    case 'list':
      return { kind, params: { kind: oneOf(given, 'kind') } };
  }
}

const fault = (name: string, message: string): Error =>
  invalidParameter({ field: `params.${name}`, message });

function oneOf(params: Params, name: string) {
  const found = LIST_KINDS.find((kind) => kind === params[name]);
  if (!found) throw fault(name, `must be one of ${LIST_KINDS.join(', ')}`);
  return found;
}

function whole(params: Params, name: string, min: number, max: number): number {
  const value = params[name];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw fault(name, `must be a whole number from ${min} to ${max}`);
  }
  return value;
}

function above(params: Params, name: string, min: number, max: number): number {
  const value = params[name];
  if (typeof value !== 'number' || !(value >= min && value <= max)) {
    throw fault(name, `must be a number from ${min} to ${max}`);
  }
  return value;
}
