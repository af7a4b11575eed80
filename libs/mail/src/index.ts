export * from './described-mail';
export * from './escaped';
export * from './render-mail';
