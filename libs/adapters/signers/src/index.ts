export * from './open-signers';
export * from './own-keys';
export type { ClientCertificate } from './signer-link';
export { newRecoveryKey, type KeptRecoveryKey } from '@tender/threshold';
