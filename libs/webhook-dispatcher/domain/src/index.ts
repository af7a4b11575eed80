export * from './delivery';
export * from './endpoint';
export * from './envelope';
