import { aggregate } from '@tender/eventing';
import { MODES } from '@tender/kernel';
import { operatingWalletDecider } from '@tender/treasury-domain';

/** A merchant has one in each mode; its id is the merchant’s. */
export const operatingWallets = aggregate({
  noun: 'operatingwallet',
  modes: MODES,
  decider: operatingWalletDecider,
  begins: [],
});
