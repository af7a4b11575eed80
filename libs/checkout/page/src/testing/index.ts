export * from './chromium';
export * from './views';
