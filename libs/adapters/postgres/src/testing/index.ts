export * from './child-process';
export * from './quiet-ports';
export * from './test-postgres';
export * from './undo-last-migration';
