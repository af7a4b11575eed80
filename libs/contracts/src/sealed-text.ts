/** A control character, which no text of a client may have: nothing that clients send reads as sealed. */
const MARK = '\u0001sealed';
const SEALED = /"\\u0001sealed(-json)?\|([^|"\\]+)\|([^|"\\]+)"/g;

/** Personal data in a fact: facts stay, so it is sealed under its subject's key (E11) and opened where it is shown. */
export const sealedText = (subject_id: string, sealed: string): string =>
  `${MARK}|${subject_id}|${sealed}`;

/** The same of a value that was sealed as JSON: where it is shown it stands as that value. */
export const sealedJson = (subject_id: string, sealed: string): string =>
  `${MARK}-json|${subject_id}|${sealed}`;

/** Whether it is sealed, as text or as JSON. */
export const isSealed = (value: unknown): boolean =>
  typeof value === 'string' && value.startsWith(MARK);

/** JSON with all that is sealed in it opened; null in the place of what is of an erased subject. */
export async function withOpenedTexts(
  json: string,
  open: (subject_id: string, sealed: string) => Promise<string | null>,
): Promise<string> {
  const found = [...json.matchAll(SEALED)];
  if (found.length === 0) return json;
  const opened = await Promise.all(
    found.map(async ([, is_json, subject_id = '', sealed = '']) => {
      const text = await open(subject_id, sealed);
      return text !== null && is_json ? text : JSON.stringify(text);
    }),
  );
  let next = 0;
  return json.replace(SEALED, () => opened[next++] ?? 'null');
}
