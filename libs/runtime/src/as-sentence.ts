/** What an error says, ended as a sentence is: another may follow. */
export const asSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);
