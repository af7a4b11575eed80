export { TREASURY_SETTINGS, treasurySettings, type TreasurySettings } from './settings';
export { treasuryContext } from './treasury.context';
