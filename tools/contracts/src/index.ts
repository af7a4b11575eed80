export * from './contract-files';
export * from './example-of';
export * from './static-files';
