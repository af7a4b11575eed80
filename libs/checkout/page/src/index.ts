export * from './page-data';
export * from './render-page';
export { languageOf } from './words/words';
export * from './built-assets';
