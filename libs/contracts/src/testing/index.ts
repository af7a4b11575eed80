export * from './fact-faults';
