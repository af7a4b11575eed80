import { aggregate } from '@tender/eventing';
import { modeOf, paymentIds } from '@tender/contracts';
import { sponsorshipDecider } from '@tender/treasury-domain';

/** The sponsored transactions of one payment; its id is the payment’s. */
export const sponsorship = aggregate({
  noun: 'sponsorship',
  modes: ['test', 'live'],
  decider: sponsorshipDecider,
  begins: [],
  modeOf: (id) => modeOf(paymentIds, id),
});
