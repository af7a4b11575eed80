export * from './context-stage';
