export * from './page-data';
export * from './render-page';
export { ATTEMPT_FIELD } from './screens/plain';
export { languageOf } from './words/words';
export * from './built-assets';
