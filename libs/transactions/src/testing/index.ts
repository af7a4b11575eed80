export { freshTestWallet, signedBy, someAddress, testWallet } from './signing';
