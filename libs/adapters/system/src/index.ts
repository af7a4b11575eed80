export * from './end-of-turn';
export * from './file-key-ring';
export * from './in-process-calls';
export * from './json-log';
export * from './system-clock';
export * from './system-random';
