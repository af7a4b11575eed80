import type { Language } from '@tender/page';

const REGIONS = { en: 'en-GB', fr: 'fr-FR' } as const;

/** `30 November 2026`: the day of that time, UTC, as mails name it. */
export const dayText = (time: string, language: Language): string =>
  new Intl.DateTimeFormat(REGIONS[language], { dateStyle: 'long', timeZone: 'UTC' }).format(
    Date.parse(time),
  );
