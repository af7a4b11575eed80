export * from './plan-views';
export * from './views';
