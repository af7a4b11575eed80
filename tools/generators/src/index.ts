export { aggregate } from './aggregate';
export { command } from './command';
export { context } from './context';
export { finish } from './finish';
export { listing } from './listing';
