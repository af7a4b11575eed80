import { ed25519_FROST as frost } from '@noble/curves/ed25519.js';

type Secret = Parameters<typeof frost.commit>[0];
type PublicKey = Parameters<typeof frost.aggregate>[0];
type Commitments = Parameters<typeof frost.aggregate>[1];
type Nonces = ReturnType<typeof frost.commit>['nonces'];

export type PartyOrder =
  | { readonly ask: 'hold'; readonly secret: Secret; readonly key: PublicKey }
  | { readonly ask: 'commit' }
  | { readonly ask: 'share'; readonly commitments: Commitments; readonly message: Uint8Array };

let held: { readonly secret: Secret; readonly key: PublicKey };
let nonces: Nonces;

// One share in memory, one signature at a time: nothing is judged, written down or signed around it.
process.on('message', (order: PartyOrder) => process.send?.({ result: answerTo(order) }));
process.on('disconnect', () => process.exit(0));

function answerTo(order: PartyOrder): unknown {
  if (order.ask === 'hold') {
    held = order;
    return null;
  }
  if (order.ask === 'commit') {
    const committed = frost.commit(held.secret);
    nonces = committed.nonces;
    return committed.commitments;
  }
  return frost.signShare(held.secret, held.key, nonces, order.commitments, order.message);
}
