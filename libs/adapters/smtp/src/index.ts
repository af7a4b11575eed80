export * from './smtp-mail';
