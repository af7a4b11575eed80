export { startTelemetry, type RunningTelemetry, type TelemetryOptions } from './start-telemetry';
