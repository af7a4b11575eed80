export * from './decide-merchant';
export * from './known-accounts';
export * from './merchant';
