export * from './embedded-bus';
export * from './postgres-event-store';
export * from './postgres-read-models';
export * from './settable-rates';
export { LogIsTaken } from './writer-session';
export { keyRingTables, postgresSubjectKeys } from './subject-key.record';
export * from './real-delays';
export * from './generation-tables';
export * from './postgres-replay-log';
