export * from './approve-views';
export * from './views';
