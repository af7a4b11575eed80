/** Every page speaks each of them. */
export const LANGUAGES = ['en', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

const isLanguage = (name: string): name is Language => LANGUAGES.some((one) => one === name);

/** What `Accept-Language` asks for first of what there is. English where it asks for nothing that is there. */
export function languageOf(asked: string | undefined, accepted: string | undefined): Language {
  const wishes = [asked ?? '', ...(accepted ?? '').split(',')];
  for (const wish of wishes) {
    const name = wish.trim().slice(0, 2).toLowerCase();
    if (isLanguage(name)) return name;
  }
  return 'en';
}
