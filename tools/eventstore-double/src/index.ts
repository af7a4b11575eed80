export { startEventStoreDouble } from './start-event-store-double';
export type { EventStoreDouble, StartOptions } from './start-event-store-double';
export type { Faults } from './faults';
