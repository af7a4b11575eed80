export * from './calls';
export * from './public-events';
export * from './request-context';
export * from './route';
