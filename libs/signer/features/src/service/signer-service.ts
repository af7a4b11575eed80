import type { Signed } from '@tender/threshold';
import { Ceremonies } from '../ceremony/ceremonies';
import { ceremonyHandlers } from '../ceremony/ceremony-handlers';
import { keepShare } from '../ceremony/keep-share';
import { proofHandlers } from '../proof/proof-handlers';
import { observe } from '../signing/observe';
import { propose } from '../signing/propose';
import { sign } from '../signing/sign';
import { SigningSessions } from '../signing/signing-sessions';
import { describe } from '../wallet/describe';
import { freeze } from '../wallet/freeze';
import { peerOf, type SignerParts } from './ports';
import { signedAsks, type Handlers } from './signed-asks';

export interface SignerService {
  /** Null: not signed by treasury for this signer. */
  answer(message: unknown): Promise<Signed | null>;
  /** Forgets, with their secrets, sessions and ceremonies that have ended unfinished. */
  dropEnded(): void;
}

/** One signer: it holds a share of each wallet and judges by itself what it is used for. */
export function signerService(parts: SignerParts): SignerService {
  const { role, identity, treasury_identity, peer_identity, recovery_key, clock, log } = parts;
  const sessions = new SigningSessions();
  const ceremonies = new Ceremonies({
    ...{ role, identity, clock, recovery_key, pinned: { [peerOf(role)]: peer_identity } },
    keep: (result) => keepShare(parts, result),
  });
  const handlers: Required<Handlers> = {
    ...ceremonyHandlers(ceremonies),
    propose: (ask) => propose(parts, sessions, ask),
    sign: (ask) => sign(parts, sessions, ask),
    observe: (ask) => observe(parts, ask),
    freeze: (ask) => freeze(parts, ask),
    describe: (ask) => describe(parts, ask),
    ...proofHandlers(parts),
  };
  return {
    answer: signedAsks({ role, identity, treasury_identity, handlers, log }),
    dropEnded() {
      sessions.dropEnded(clock.wall());
      ceremonies.dropEnded(clock.wall());
    },
  };
}
