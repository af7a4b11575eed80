import { UnstorableText } from '../ports/failures';

/** JSON.stringify writes NUL and lone surrogates as escapes, and whole pairs as they are. */
const UNSTORABLE_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/**
 * JSON text of a part of an event. Throws `UnstorableText` where a store would refuse the whole batch
 * that the event is in, innocent neighbours included.
 */
export function storableJson(stream: string, value: unknown): string {
  const text = JSON.stringify(value);
  if (text.includes('\\u') && UNSTORABLE_ESCAPE.test(text)) throw new UnstorableText(stream);
  return text;
}
