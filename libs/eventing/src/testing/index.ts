export * from './bus-conformance';
export * from './calls-conformance';
export * from './event-store-conformance';
export * from './patience';
export * from './recorded-telemetry';
export * from './sample-events';
export * from './specification-of';
