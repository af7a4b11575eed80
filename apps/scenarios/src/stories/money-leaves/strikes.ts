import { RUN } from '../../harness/running-program';

export const FINAL = 'append.before@TransferCompleted';

/** A refund is at this point when the processes die; treasury is the one that brings it there. */
const KILL_POINTS = [
  ['K9: signed and recorded, not sent', 'append.after@TransferSigned'],
  ['K10: sent, and that is not known', 'send.after'],
  ['K11: final, and that is not recorded', FINAL],
] as const;

/** Who dies together, by round. In one process the program is all but the signers. */
const ROUNDS: readonly (readonly (readonly string[])[])[] =
  RUN === 'embedded'
    ? [
        [['treasury'], ['signer-a'], ['signer-b']],
        [['treasury'], ['signer-a'], ['signer-b']],
      ]
    : [
        [['treasury', 'signer-a'], ['gateway', 'chain-indexer', 'payments', 'refunds-disputes', 'signer-b']],
        [['treasury', 'payments', 'refunds-disputes'], ['gateway', 'chain-indexer', 'signer-a', 'signer-b']],
      ];

export interface Strike {
  readonly name: string;
  readonly dying: readonly string[];
  readonly fault: string;
}

/** Each process that has a part in a refund dies at each kill point, once in each round. */
export const STRIKES: readonly (readonly Strike[])[] = ROUNDS.map((parts) =>
  KILL_POINTS.flatMap(([point, fault]) =>
    parts.map((dying) => ({ name: `${dying.join(', ')} at ${point}`, dying, fault })),
  ),
);
