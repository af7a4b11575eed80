export * from './bus/consumer-records';
export * from './bus/embedded-bus';
export type { Cuttable } from './connections/cuttable-pool';
export * from './connections/database-pulse';
export * from './connections/real-delays';
export * from './leases/postgres-leases';
export * from './log/handed-event-store';
export { LogIsTaken } from './log/log-locks';
export * from './log/log-writers';
export * from './log/postgres-event-store';
export * from './log/shared-postgres-event-store';
export type { Beat } from './log/shared-session';
export * from './migrate-log/hand-over-to-lanes';
export * from './migrate-log/held-log';
export * from './migrate-log/log-place';
export * from './migrate-log/migrate-log';
export { ForeignCheckpoint } from './migrate-log/moved-positions';
export * from './read-models/begin-generation';
export * from './read-models/checkpoint-faults';
export * from './read-models/compare-generations';
export {
  dropOldGenerations,
  foldMissing,
  formerOf,
  indexGeneration,
  liveOf,
  promoteGeneration,
  type Missing,
  type OwnedProjection,
} from './read-models/generation-tables';
export * from './read-models/postgres-read-models';
export * from './read-models/postgres-replay-log';
export * from './read-models/replay-lock';
export { SERVICE_TABLES } from './read-models/service-schema';
export * from './records/settable-rates';
export { eraseSubjectKey, keyRingTables, postgresSubjectKeys } from './records/subject-key.record';
