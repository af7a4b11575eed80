export * from './start-postgres';
export { freePort } from './free-port';
export * from './running-postgres';
