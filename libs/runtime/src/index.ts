export * from './bus-transport';
export * from './embedded';
export * from './program-stage';
export * from './telemetry';
export { jsonLog } from '@tender/adapter-system';
export { localChain } from '@tender/adapter-solana';
export { realDelays } from '@tender/adapter-postgres';
