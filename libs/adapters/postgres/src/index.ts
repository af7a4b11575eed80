export * from './embedded-bus';
export * from './postgres-event-store';
export * from './postgres-read-models';
export * from './settable-rates';
export * from './shared-postgres-event-store';
export { LogIsTaken } from './log-locks';
export type { LogLag } from './log-reader';
export { keyRingTables, postgresSubjectKeys } from './subject-key.record';
export * from './real-delays';
