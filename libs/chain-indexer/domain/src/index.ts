export * from './credits-of';
export * from './decide-credit';
export * from './decide-watch';
export * from './facts';
export * from './judge-credit';
export * from './submission';
export * from './transaction';
export * from './watch';
