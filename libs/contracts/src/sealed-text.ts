/** A control character, which no text of a client may have: nothing that clients send reads as sealed. */
const MARK = '\u0001sealed';
const SEALED = /"\\u0001sealed\|([^|"\\]+)\|([^|"\\]+)"/g;

/** Personal data in a fact: facts stay, so it is sealed under its subject's key (E11) and opened where it is shown. */
export const sealedText = (subject_id: string, sealed: string): string =>
  `${MARK}|${subject_id}|${sealed}`;

/** JSON with each sealed text opened; null in the place of one whose subject was erased. */
export async function withOpenedTexts(
  json: string,
  open: (subject_id: string, sealed: string) => Promise<string | null>,
): Promise<string> {
  const found = [...json.matchAll(SEALED)];
  if (found.length === 0) return json;
  const opened = await Promise.all(
    found.map(([, subject_id = '', sealed = '']) => open(subject_id, sealed)),
  );
  let next = 0;
  return json.replace(SEALED, () => JSON.stringify(opened[next++] ?? null));
}
