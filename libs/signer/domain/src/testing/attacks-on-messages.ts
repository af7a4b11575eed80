import type { MessageAttack, Target } from './attack';
import { attacksOnEnvelope } from './attacks-on-envelope';
import { attacksOnForm } from './attacks-on-form';
import { attacksOnMarker } from './attacks-on-marker';
import { attacksOnMoney } from './attacks-on-money';

/** What a treasury that was taken over may make of an honest message of an operation, and the code that refuses it. */
export const attacksOnMessages = (target: Target): readonly MessageAttack[] =>
  [
    ...attacksOnForm,
    ...attacksOnEnvelope(target),
    ...attacksOnMarker(target),
    ...attacksOnMoney(target),
  ].map(([code, name, tampered]) => ({ code, name, tampered }));
