export * from './described-mail';
export * from './render-mail';
