export * from './clocks';
export * from './memory-bus';
export * from './memory-event-store';
export * from './seeded-random';
export * from './silent-log';
