export * from './bench';
export * from './run';
