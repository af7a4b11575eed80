export * from './start-postgres';
export * from './running-postgres';
