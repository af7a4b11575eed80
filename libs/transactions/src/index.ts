export {
  base58,
  bytesOfBase58,
  KEY_BYTES,
  keyBytes,
  SIGNATURE_BYTES,
  signatureBytes,
} from './address';
export { accountKindOf, KIND_SLICE } from './account-kind';
export { associatedTokenAccount } from './associated-token-account';
export { compileMessage, type MessagePlan } from './compile-message';
export { computeBudgetOf, priorityLamports, transactionFee } from './compute-budget';
export { guard, type GuardReason } from './guard';
export { secretOfKeyFile } from './key-file';
export { knownAccount, type KnownAccount } from './known-accounts';
export {
  addressWithSeed,
  ALLOCATE_WITH_SEED,
  CLOSE_ACCOUNT,
  closeMarker,
  INITIALIZE_ACCOUNT_3,
  makeMarker,
  MARKER_RENT,
  MARKER_SPACE,
  markerOf,
  WRAPPED_SOL,
  type Marker,
} from './marker';
export { messageOf, readMessage, type AccountUse, type Instruction, type Message } from './message';
export {
  OUTGOING_UNIT_LIMIT,
  outgoingMessage,
  type OutgoingTransfer,
  type SentToken,
} from './outgoing-message';
export { paymentBudget, usualBudget } from './payment-budget';
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
  bytesOfBase64,
  readTransaction,
  transactionBytes,
  transactionOfBase64,
  transactionSignature,
  TRANSACTION_BYTES_MAX,
  type Transaction,
} from './transaction';
export { canSign } from './on-curve';
export { DEVNET_MINTS, MAINNET_MINTS, USD_MINTS } from './usd-mints';
