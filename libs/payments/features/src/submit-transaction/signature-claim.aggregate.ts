import { aggregate } from '@tender/eventing';
import { MODES } from '@tender/kernel';
import { signatureClaimDecider } from '@tender/payments-domain';

/** A stream for each signature that was handed in: which payment it is of. */
export const signatureClaim = aggregate({
  noun: 'signature',
  modes: MODES,
  decider: signatureClaimDecider,
  begins: ['ClaimSignature'],
});
