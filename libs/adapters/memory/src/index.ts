export * from './fixed-clock';
export * from './memory-bus';
export * from './memory-event-store';
export * from './memory-inbox';
export * from './seeded-random';
export * from './silent-log';
