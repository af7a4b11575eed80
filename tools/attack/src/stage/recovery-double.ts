import { randomBytes } from 'node:crypto';
import { recoveryParty } from '@tender/signer-features';
import { identityOf, type Identity, type Signed } from '@tender/threshold';

/** Party R of one ceremony. */
export interface RecoveryDouble {
  readonly identity_key: string;
  ask(message: Signed): Promise<Signed>;
  end(): Promise<void>;
}

/** R in this process. What holds its identity can say in its name what it likes. */
export function recoveryDouble(
  recovery_key: string,
  identity: Identity = identityOf(randomBytes(32)),
): RecoveryDouble {
  const answer = recoveryParty(identity, { recovery_key, clock: { wall: () => Date.now() } });
  return {
    identity_key: identity.public_key,
    ask: (message) => answer(message) as Promise<Signed>,
    end: async () => undefined,
  };
}
