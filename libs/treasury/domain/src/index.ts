export * from './decide-sponsorship';
export * from './quotas';
export * from './sponsor';
export * from './sponsorship';
