export * from './contract-files';
export * from './static-files';
