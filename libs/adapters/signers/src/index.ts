export * from './open-signers';
export * from './own-keys';
export type { ClientCertificate } from './signer-link';
