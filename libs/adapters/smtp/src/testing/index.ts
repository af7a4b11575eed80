export * from './mail-server';
