export type { Attack, Parties } from './attack';
export { attacksOn } from './attacks';
export { changedMessage, use, type Changes } from './changes';
export { adding, assert, budgeted, system, token, told, u32 } from './wallet-changes';
export { freshTestWallet, signedBy, someAddress, testWallet } from './signing';
