import { modeOf, uuidIds } from '@tender/contracts';
import {
  checkedKind,
  eachFault,
  ofOneMode,
  ownEvents,
  type CheckedObject,
  type InvariantCheck,
} from '@tender/eventing';
import {
  evolvePaymentLink,
  UNKNOWN_PAYMENT_LINK,
  usesTaken,
  type KnownPaymentLink,
  type PaymentLinkEvent,
} from '@tender/payments-domain';
import { paymentLink } from '../payment-links/payment-link.aggregate';

const links = checkedKind(paymentLink);

/** Two tellers: the link by its own stream, and a table by the streams of payments. */
const usedNoMoreThan: InvariantCheck = {
  id: 'M10',
  says: 'Payments of a link that are pending or confirmed are never more than its max_uses.',
  of: links,
  async find({ readModels }, _, objects) {
    const rows = await readModels.query<{ id: string; uses: number }>(
      'select id, uses::float8 as uses from payments.link_uses where id = any($1)',
      [objects.map(({ id }) => id)],
    );
    const counted = new Map(rows.map(({ id, uses }) => [id, uses]));
    return eachFault(objects, (object) => faultOfUses(object, counted.get(object.id) ?? 0));
  },
};

function faultOfUses(object: CheckedObject, payments: number): string | null {
  const events = ownEvents<PaymentLinkEvent>(object.history);
  const link = events.reduce(evolvePaymentLink, UNKNOWN_PAYMENT_LINK);
  if (link.status === 'unknown') return null;
  const { max_uses } = (link as KnownPaymentLink).terms;
  if (max_uses === null) return null;
  const taken = usesTaken(link);
  if (taken > max_uses) return `${taken} uses are taken of ${max_uses}`;
  if (payments > max_uses) return `${payments} payments hold or have its ${max_uses} uses`;
  const used = events.flatMap(({ type, data }) =>
    type === 'PaymentLinkUsed' ? data.payment_id : [],
  );
  const twice = used.find((payment_id, at) => used.indexOf(payment_id) < at);
  return twice ? `${twice} has used it twice` : null;
}

export const linkInvariants: readonly InvariantCheck[] = [
  usedNoMoreThan,
  ofOneMode(links, (id) => modeOf(uuidIds, id)),
];
