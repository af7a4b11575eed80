import { modeOf, paymentIds } from '@tender/contracts';
import {
  checkedKind,
  eachFaultAsked,
  ofOneMode,
  ownEvents,
  ownInvariant,
  type CheckedObject,
  type CheckPorts,
  type InvariantCheck,
} from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import { readMessage } from '@tender/transactions';
import type {
  Offer,
  SignedTransaction,
  SponsoredOutcome,
  SponsorshipEvent,
} from '@tender/treasury-domain';
import { bookedFor, type BookedRow } from './booked-rows';
import { highestCost } from '../sponsor-transaction/cost-of';
import { sponsorship } from '../sponsor/sponsorship.aggregate';

const sponsorships = checkedKind(sponsorship);

interface Sponsored {
  readonly offer: Offer;
  readonly signed: SignedTransaction;
  /** Null while it may land. */
  readonly outcome: SponsoredOutcome | null;
}

function sponsoredIn(object: CheckedObject): readonly Sponsored[] {
  const events = ownEvents<SponsorshipEvent>(object.history);
  const ends = new Map(
    events.flatMap((event) =>
      event.type === 'SponsoredTransactionEnded'
        ? [[event.data.transaction_signature, event.data.outcome] as const]
        : [],
    ),
  );
  return events.flatMap((event) =>
    event.type === 'SponsoredTransactionSigned'
      ? { ...event.data, outcome: ends.get(event.data.signed.transaction_signature) ?? null }
      : [],
  );
}

const costOf = ({ offer, signed }: Sponsored): bigint =>
  highestCost(readMessage(Buffer.from(signed.message, 'base64')), offer);

/** What is signed is booked at its highest cost, and the chain took no more. */
const costsWhatWasBooked: InvariantCheck = {
  id: 'G2',
  says: 'A sponsored transaction costs no more than was booked for it before it was signed.',
  of: sponsorships,
  async find(ports, mode, objects) {
    const rows = await bookedFor(ports.readModels, mode, objects.map(({ id }) => id));
    return eachFaultAsked(objects, (object) => faultOfCost(ports, mode as Mode, object, rows));
  },
};

async function faultOfCost(
  { chains }: CheckPorts,
  mode: Mode,
  object: CheckedObject,
  rows: readonly BookedRow[],
): Promise<string | null> {
  for (const sponsored of sponsoredIn(object)) {
    const { signed, offer, outcome } = sponsored;
    const { transaction_signature, message_hash } = signed;
    const row = rows.find(
      (one) => one.payment_id === object.id && one.message_hash === message_hash,
    );
    if (outcome === null) {
      const says = faultOfBooking(sponsored, row);
      if (says !== null) return says;
      continue;
    }
    const landed = (await chains?.[mode].transaction(transaction_signature)) ?? null;
    if (landed === null) continue;
    if (outcome === 'dropped') return `${transaction_signature} is on the chain and was taken for dropped`;
    const own = landed.changes.find(
      ({ account, mint }) => account === offer.fee_payer && mint === null,
    );
    const cost = -(own?.delta ?? 0n);
    if (cost > costOf(sponsored)) {
      return `${transaction_signature} has cost ${cost} lamports, ${costOf(sponsored)} were booked`;
    }
  }
  return null;
}

function faultOfBooking(sponsored: Sponsored, row: BookedRow | undefined): string | null {
  const { transaction_signature } = sponsored.signed;
  if (!row) return `${transaction_signature} is signed and not booked`;
  const { lamports, has_ended } = row;
  if (has_ended || lamports >= costOf(sponsored)) return null;
  return `${transaction_signature} may cost ${costOf(sponsored)} lamports, ${lamports} are booked`;
}

const oneAtATime: InvariantCheck = ownInvariant({
  id: 'G3',
  says: 'Of a payment one sponsored transaction may land at a time, and none after one that has landed.',
  of: sponsorships,
  fault({ history }) {
    let flying: string | null = null;
    for (const event of ownEvents<SponsorshipEvent>(history)) {
      if (event.type === 'SponsoredTransactionSigned') {
        const { transaction_signature } = event.data.signed;
        if (flying !== null) return `${transaction_signature} is signed beside ${flying}`;
        flying = transaction_signature;
      }
      if (event.type === 'SponsoredTransactionEnded' && event.data.outcome !== 'landed') flying = null;
    }
    return null;
  },
});

export const sponsorInvariants: readonly InvariantCheck[] = [
  costsWhatWasBooked,
  oneAtATime,
  ofOneMode(sponsorships, (id) => modeOf(paymentIds, id)),
];
