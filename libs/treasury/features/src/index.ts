export { treasuryContext } from './treasury.context';
