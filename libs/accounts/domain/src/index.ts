export * from './decide-merchant';
export * from './decide-passkey-wallet';
export * from './decide-passkeys';
export * from './merchant';
export * from './passkey';
export * from './passkey-wallet';
