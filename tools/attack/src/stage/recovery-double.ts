import { randomBytes } from 'node:crypto';
import { Ceremonies, signedAsks } from '@tender/signer-features';
import { identityOf, type Identity, type Signed } from '@tender/threshold';

/** Party R of one ceremony. */
export interface RecoveryDouble {
  readonly identity_key: string;
  ask(message: Signed): Promise<Signed>;
  end(): Promise<void>;
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** R in this process. Who holds its identity can say in its name what it likes. */
export function recoveryParty(
  recovery_key: string,
  identity: Identity = identityOf(randomBytes(32)),
): RecoveryDouble {
  const ceremonies = new Ceremonies({
    ...{ role: 'R', identity, pinned: {}, recovery_key, clock: { wall: () => Date.now() } },
    keep: async () => undefined,
  });
  const answer = signedAsks({
    ...{ role: 'R', identity, treasury_identity: null, log: silent },
    handlers: {
      'ceremony.begin': (ask) => ceremonies.begin(ask),
      'ceremony.round-2': (ask) => ceremonies.round2(ask),
      'ceremony.round-3': (ask) => ceremonies.round3(ask),
      'ceremony.finish': (ask) => ceremonies.finish(ask),
    },
  });
  return {
    identity_key: identity.public_key,
    ask: (message) => answer(message) as Promise<Signed>,
    end: async () => undefined,
  };
}
