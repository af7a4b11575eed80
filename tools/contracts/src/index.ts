export * from './contract-files';
export * from './example-of';
