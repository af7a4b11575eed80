export type { MessageAttack, Target } from './attack';
export { attacksOnMessages } from './attacks-on-messages';
export {
  attacksOnOperations,
  malformedOperations,
  type OperationAttack,
} from './attacks-on-operations';
export { honestMessage, type TreasurysChoice } from './honest';
export { APPROVAL, SoftPasskey, type ProofChanges } from './soft-passkey';
export { attacksOnProofs, otherOperations, type ProofAttack } from './attacks-on-proofs';
