import { aggregate } from '@tender/eventing';
import { ruleDecider } from '@tender/fraud-domain';

/** Rules cover both modes. A default rule has no stream before it is changed. */
export const rule = aggregate({
  noun: 'rule',
  modes: ['all'],
  decider: ruleDecider,
  begins: ['CreateRule'],
  view: { name: 'fraud.rules@1', table: 'fraud.rules' },
});
