export * from './delivery';
export * from './endpoint';
