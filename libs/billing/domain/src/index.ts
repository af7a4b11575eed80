export * from './calendar';
export * from './time';
