export * from './start-postgres';
