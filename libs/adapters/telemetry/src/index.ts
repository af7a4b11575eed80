export { startTelemetry, type RunningTelemetry, type TelemetryOptions } from './start-telemetry';
export { traceparentOf } from './trace-ids';
