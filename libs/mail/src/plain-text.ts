const LINE_CHARACTERS_MAX = 200;
const TEXT_CHARACTERS_MAX = 10_000;
const DIRECTION_MARKS = /\p{Bidi_Control}/gu;

/**
 * A name or a heading as one line that shows what it is: any break is a space, no mark turns its direction.
 * Spaces that hold an amount together stay.
 */
export const oneLine = (text: string, characters_max = LINE_CHARACTERS_MAX): string =>
  cut(
    text
      .toWellFormed()
      .replace(DIRECTION_MARKS, '')
      .replace(/[\p{Cc}\p{Zl}\p{Zp} ]+/gu, ' ')
      .trim(),
    characters_max,
  );

/** Text whose line breaks are kept, and nothing else that does not show. */
export const manyLines = (text: string): string =>
  cut(
    text
      .toWellFormed()
      .replace(DIRECTION_MARKS, '')
      .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
      .replace(/(?!\n)\p{Cc}/gu, ' ')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
    TEXT_CHARACTERS_MAX,
  );

/** Whole characters, as people count them. */
function cut(text: string, characters_max: number): string {
  if (text.length <= characters_max) return text;
  const characters = [...text];
  if (characters.length <= characters_max) return text;
  return `${characters.slice(0, characters_max - 1).join('')}…`;
}
