/** Characters that turn the text after them around, beyond where a shop's words end. */
const TURNS = /[\u202A-\u202E\u2066-\u2069]/g;

/** What a shop says, turning no text around. */
export const inOneDirection = (text: string): string => text.replace(TURNS, '');
