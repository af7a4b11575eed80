export * from './bus-conformance';
export * from './event-store-conformance';
export * from './sample-events';
export * from './specification-of';
