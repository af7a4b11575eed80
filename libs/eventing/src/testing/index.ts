export * from './bus-conformance';
export { conformanceContexts, conformanceRetryDelay, type BusUnderTest } from './bus-under-test';
export * from './calls-conformance';
export * from './event-store-conformance';
export * from './patience';
export * from './recorded-telemetry';
export * from './sample-events';
export * from './specification-of';
export * from './store-under-test';
