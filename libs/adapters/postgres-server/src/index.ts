export * from './start-postgres';
export { freePort } from './server';
export * from './running-postgres';
