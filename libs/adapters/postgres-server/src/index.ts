export * from './start-postgres';
export { freePort, portToKeep } from './free-port';
export * from './running-postgres';
