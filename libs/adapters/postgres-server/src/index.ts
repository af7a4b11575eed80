export * from './start-postgres';
export { freePort } from './server';
