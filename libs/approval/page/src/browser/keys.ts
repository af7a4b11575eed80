import type { KeyTools } from './key-tools';

const absent = (): never => {
  throw new Error('the ceremony is not built yet');
};

export const tools: KeyTools = { makeWallet: absent, seal: absent, unseal: absent, openKit: absent };
