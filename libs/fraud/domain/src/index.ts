export * from './assess';
export * from './flag';
export * from './list-entry';
export * from './norm';
export * from './rule';
export * from './sanctions';
