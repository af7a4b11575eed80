export * from './event-store-db';
