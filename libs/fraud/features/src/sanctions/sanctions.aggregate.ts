import { aggregate } from '@tender/eventing';
import { sanctionsDecider } from '@tender/fraud-domain';

/** There is one list that counts: one stream. */
export const THE_LIST = 'list';

export const sanctions = aggregate({
  noun: 'sanctions',
  modes: ['all'],
  decider: sanctionsDecider,
  begins: [],
  view: { name: 'fraud.sanctions@1', table: 'fraud.sanctions' },
});
