export * from './fact-faults';
export * from './samples';
