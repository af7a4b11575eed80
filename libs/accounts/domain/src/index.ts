export * from './decide-merchant';
export * from './merchant';
