export * from './guarded-outbound';
export * from './operator-sources';
export type { ResolveAddresses } from './resolve-addresses';
