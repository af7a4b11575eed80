export { adding, assert, attacksOn, budgeted, type Attack, type Parties } from './attacks';
export { changedMessage, use, type Changes } from './changes';
export { freshTestWallet, signedBy, someAddress, testWallet } from './signing';
