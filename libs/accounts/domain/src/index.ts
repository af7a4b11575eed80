export * from './decide-merchant';
export * from './decide-passkey-wallet';
export * from './merchant';
export * from './passkey-wallet';
