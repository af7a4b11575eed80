export * from './guarded-outbound';
export type { ResolveAddresses } from './resolve-addresses';
