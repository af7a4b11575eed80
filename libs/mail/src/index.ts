export * from './described-mail';
export * from './escaped';
export * from './queue';
export * from './render-mail';
