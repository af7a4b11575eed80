export { isAddress } from './address';
export type { Admission } from './endpoints';
export { solanaChain, type SolanaChainOptions } from './solana-chain';
export {
  freshWallet,
  payOnChain,
  TransferFailed,
  type CustomerWallet,
  type OnChainPayment,
} from './customer-wallet';
export { addressOfKeyFile, localChain, topUp } from './local-chain';
