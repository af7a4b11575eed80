export * from './call';
export * from './clock';
export * from './decider';
export * from './decimal';
export * from './ids';
export * from './invariant';
export * from './mode';
export * from './tokens';
