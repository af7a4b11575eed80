export * from './own-certificate';
