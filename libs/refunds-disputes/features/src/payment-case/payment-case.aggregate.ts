import { modeOf, paymentIds } from '@tender/contracts';
import { aggregate } from '@tender/eventing';
import { MODES } from '@tender/kernel';
import { paymentCaseDecider } from '@tender/refunds-disputes-domain';

export const CASE = 'case';

/** All that follows a payment, under its id. Other things begin its stream from one time to the next: all load it. */
export const paymentCase = aggregate({
  noun: CASE,
  modes: MODES,
  modeOf: (id) => modeOf(paymentIds, id),
  decider: paymentCaseDecider,
  begins: [],
});
