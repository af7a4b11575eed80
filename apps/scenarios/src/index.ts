export { Client } from './client';
export { Program } from './program';
export { Receiver, signedWith } from './receiver';
