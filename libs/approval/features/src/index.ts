export * from './approval-server';
