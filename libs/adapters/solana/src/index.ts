export { isAddress } from './address';
export type { Admission } from './endpoints';
export { solanaChain, type SolanaChainOptions } from './solana-chain';
export {
  freshWallet,
  payOnChain,
  TransferFailed,
  walletFromSecret,
  walletOfKeyFile,
  type CustomerWallet,
  type OnChainPayment,
} from './customer-wallet';
export { localChain, topUp } from './local-chain';
