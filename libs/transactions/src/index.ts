export { base58, keyBytes, signatureBytes } from './address';
export { compileMessage, type MessagePlan } from './compile-message';
export { computeBudgetOf, transactionFee } from './compute-budget';
export { guard, type GuardReason } from './guard';
export { secretOfKeyFile } from './key-file';
export { knownAccount, type KnownAccount } from './known-accounts';
export { readMessage, type AccountUse, type Instruction, type Message } from './message';
export { paymentBudget } from './payment-budget';
export { paymentMessage, type PaidToken, type PaymentTransfer } from './payment-message';
export * from './programs';
export { hasSigned, messageHash, signerOf, type Signer } from './signatures';
export {
  CUSTOMER_PAID_BOUNDS,
  PRIORITY_LAMPORTS_MAX,
  SPONSORED_BOUNDS,
  type Bounds,
  type Template,
} from './template';
export {
  base64,
  readTransaction,
  transactionBytes,
  transactionOfBase64,
  transactionSignature,
  TRANSACTION_BYTES_MAX,
  type Transaction,
} from './transaction';
export { canSign } from './on-curve';
