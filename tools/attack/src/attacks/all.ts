import type { Attack } from '../attack';
import { onCeremonies } from './on-ceremonies';
import { onCommitments } from './on-commitments';
import { onCrashes } from './on-crashes';
import { onEvidence } from './on-evidence';
import { onFreeze } from './on-freeze';
import { onLimits } from './on-limits';
import { onMessages } from './on-messages';
import { onOneId } from './on-one-id';
import { onOperations } from './on-operations';
import { onOwnWallets } from './on-own-wallets';
import { onPins } from './on-pins';
import { onPlans } from './on-plans';
import { onProofs } from './on-proofs';
import { onSessions } from './on-sessions';
import { onSharedCredits } from './on-shared-credits';
import { onStorage } from './on-storage';
import { onTransport } from './on-transport';

/** Area by area. */
export const ALL_ATTACKS: readonly Attack[] = [
  ...[...onMessages, ...onOperations, ...onOneId, ...onEvidence, ...onSharedCredits, ...onLimits],
  ...[...onSessions, ...onCommitments, ...onFreeze, ...onProofs, ...onPins],
  ...[...onTransport, ...onCeremonies, ...onPlans, ...onOwnWallets, ...onStorage, ...onCrashes],
];
