import {
  checkedKind,
  eachFaultAsked,
  movedMoney,
  ofOneMode,
  ownEvents,
  ownInvariant,
  type CheckedObject,
  type CheckPorts,
  type InvariantCheck,
} from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import { transactionOfBase64 } from '@tender/transactions';
import type { OutgoingTransferEvent, SignedTransfer } from '@tender/treasury-domain';
import { markerAddress } from '../outgoing-transfer/marker';
import { outgoingTransfer } from '../outgoing-transfer/outgoing-transfer.aggregate';
import { refundsWithinCredit, termsOf } from './refunds-within-credit';

const transfers = checkedKind(outgoingTransfer);

const signedIn = (object: CheckedObject): readonly SignedTransfer[] =>
  ownEvents<OutgoingTransferEvent>(object.history).flatMap((event) =>
    event.type === 'TransferSigned' ? event.data.signed : [],
  );

const hasItsMarker: InvariantCheck = ownInvariant({
  id: 'T1',
  says: 'Every transaction of a transfer makes the marker of that transfer.',
  of: transfers,
  fault(object) {
    const terms = termsOf(object);
    if (terms === null) return null;
    const marker = markerAddress(terms);
    const without = signedIn(object).find(({ transaction }) => {
      const accounts = transactionOfBase64(transaction)?.message.accounts ?? [];
      return !accounts.some(({ address }) => address === marker);
    });
    return without ? `${without.signature} does not make its marker` : null;
  },
});

const oneAtATime: InvariantCheck = ownInvariant({
  id: 'T4',
  says: 'One transaction of a transfer may land at a time, and none is signed once it has ended.',
  of: transfers,
  fault({ history }) {
    let flying: string | null = null;
    let end: string | null = null;
    for (const event of ownEvents<OutgoingTransferEvent>(history)) {
      if (event.type === 'TransferDropped' && event.data.signature === flying) flying = null;
      if (event.type === 'TransferCompleted' || event.type === 'TransferFailed') {
        if (end !== null) return `${event.type} after ${end}`;
        end = event.type;
      }
      if (event.type !== 'TransferSigned') continue;
      const { signature } = event.data.signed;
      if (end !== null) return `${signature} is signed after ${end}`;
      if (flying !== null) return `${signature} is signed beside ${flying}`;
      flying = signature;
    }
    return null;
  },
});

/** Completed: one transaction, with the due effect. Failed: none. What the chain does not show is not judged. */
const leavesOnce: InvariantCheck = {
  id: 'T5',
  says: 'A completed transfer has moved its money by one transaction, a failed one has moved nothing.',
  of: transfers,
  find: ({ chains }, mode, objects) =>
    eachFaultAsked(objects, (object) => faultOfEnd(chains, mode as Mode, object)),
};

async function faultOfEnd(
  chains: CheckPorts['chains'],
  mode: Mode,
  object: CheckedObject,
): Promise<string | null> {
  const end = ownEvents<OutgoingTransferEvent>(object.history).find(
    ({ type }) => type === 'TransferCompleted' || type === 'TransferFailed',
  );
  const terms = termsOf(object);
  if (!end || terms === null) return null;
  const signed = signedIn(object).map(({ signature }) => signature);
  const completed = end.type === 'TransferCompleted' ? end.data.signature : null;
  if (completed !== null && !signed.includes(completed)) return `${completed} was never signed`;
  if (chains === null) return null;
  const { [mode]: chain } = chains;
  for (const signature of signed) {
    const landed = await chain.transaction(signature);
    if (landed === null) continue;
    if (signature !== completed) {
      if (!landed.failed) return `${signature} has landed, and it is ${end.type}`;
      continue;
    }
    if (landed.failed) return `${signature} is on the chain without effect`;
    const moved = movedMoney(landed.changes, terms.to, terms.asset, chain.mints);
    if (moved !== BigInt(terms.amount)) return `${signature} has moved ${moved} of ${terms.amount}`;
  }
  return null;
}

export const transferInvariants: readonly InvariantCheck[] = [
  refundsWithinCredit,
  hasItsMarker,
  oneAtATime,
  leavesOnce,
  ofOneMode(transfers),
];
