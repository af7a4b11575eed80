import { languageOf } from './language';

test.each([
  [undefined, undefined, 'en'],
  [undefined, 'fr-CH, fr;q=0.9, en;q=0.8', 'fr'],
  [undefined, 'de-DE, fr;q=0.5', 'fr'],
  [undefined, 'de', 'en'],
  ['fr', 'en-GB', 'fr'],
  ['constructor', 'en-GB', 'en'],
])('?lang=%s and Accept-Language: %s speak %s', (asked, accepted, language) => {
  expect(languageOf(asked, accepted)).toBe(language);
});
