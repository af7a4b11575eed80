import { aggregate, type Runtime } from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import { sponsorDecider, type Sponsor } from '@tender/treasury-domain';

/** The sponsor of a mode: whether it pays. */
export const sponsor = aggregate({
  noun: 'sponsor',
  modes: ['test', 'live'],
  decider: sponsorDecider,
  begins: [],
});

/** There is one in each mode. */
export const SPONSOR_ID = 'fees';

/** As it is now; one that was never switched pays. */
export const sponsorNow = async (
  runtime: Pick<Runtime, 'eventStore'>,
  mode: Mode,
): Promise<Sponsor> => (await sponsor.load(runtime, mode, SPONSOR_ID)) ?? sponsorDecider.initial;
