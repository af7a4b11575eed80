export * from './axe-findings';
export * from './chromium';
export * from './eyes';
export * from './source-style';
