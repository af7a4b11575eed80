export * from './api-error';
export * from './reacts';
export * from './serves';
export * from './tokens';
export * from './error-answer';
export * from './error-filter';
export * from './own-writes';
export * from './once-a-day';
