export * from './chromium';
export * from './plan-views';
export * from './views';
