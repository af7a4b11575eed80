export * from './decide-merchant';
export * from './decide-passkeys';
export * from './merchant';
export * from './passkey';
