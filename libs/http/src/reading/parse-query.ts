import type { FieldFault } from '../api-error';

export type Query = Readonly<Record<string, string>>;

export interface ParsedQuery {
  readonly query: Query;
  readonly faults: readonly FieldFault[];
}

const NO_QUERY: Query = Object.freeze(Object.create(null) as Query);
const UNSTORABLE = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * `?limit=20&offset=0` and nothing more, which is also the body of a form: a name given twice, brackets and broken
 * encodings are faults, because two readers would read them in two ways.
 */
export function parseQuery(text: string, part: 'query' | 'body' = 'query'): ParsedQuery {
  if (text === '') return { query: NO_QUERY, faults: [] };
  const query: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1));
    const fault = faultOf(name, value, query, part);
    // The first fault is enough: ten thousand of them would be an answer as large as the request.
    if (fault) return { query: NO_QUERY, faults: [fault] };
    query[name as string] = value as string;
  }
  return { query, faults: [] };
}

function faultOf(
  name: string | null,
  value: string | null,
  known: Query,
  field: string,
): FieldFault | null {
  if (name === null || value === null) {
    return { field, message: 'is not valid percent-encoded UTF-8' };
  }
  if (/[[\]]/.test(name)) return { field, message: 'must not use brackets in names' };
  if (UNSTORABLE.test(name) || UNSTORABLE.test(value)) {
    return { field, message: 'must not hold control characters' };
  }
  return name in known ? { field: name, message: 'is given more than once' } : null;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
