export * from './approve/page-data';
export * from './built-assets';
export * from './page-data';
export * from './render-page';
