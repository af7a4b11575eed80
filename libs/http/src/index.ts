export * from './api-error';
export * from './reacts';
export * from './serves';
export * from './tokens';
