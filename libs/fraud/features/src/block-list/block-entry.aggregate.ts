import { aggregate } from '@tender/eventing';
import { entryDecider } from '@tender/fraud-domain';

/** What is blocked is so in both modes. The id derives from the value. */
export const blockEntry = aggregate({
  noun: 'blocked',
  modes: ['all'],
  decider: entryDecider,
  begins: [],
  view: { name: 'fraud.block-entries@1', table: 'fraud.block_entries' },
});
