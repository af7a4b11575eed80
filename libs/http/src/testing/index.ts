export { startTestPostgres, type TestPostgres } from '../../../adapters/postgres/src/testing/test-postgres';
export * from './context-stage';
