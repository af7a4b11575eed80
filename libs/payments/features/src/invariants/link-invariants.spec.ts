import type { DomainEvent } from '@tender/eventing';
import { checkedObject, findingsOf } from '@tender/eventing/testing';
import recorded from '../../../domain/src/recorded/payment-link-v1.json';
import { linkInvariants } from './link-invariants';

const { PaymentLinkCreated: created, LinkUseHeld: held, PaymentLinkUsed: used } = recorded;
const { LinkUseReleased: released, PaymentLinkClosed: closed } = recorded;
const { payment_link_id: id } = created.data.link;

const linkOf = (max_uses: number | null): DomainEvent => ({
  ...created,
  data: { ...created.data, link: { ...created.data.link, max_uses } },
});
const heldFor = (payment_id: string): DomainEvent => ({
  ...held,
  data: {
    ...held.data,
    payment: {
      ...held.data.payment,
      terms: { ...held.data.payment.terms, payment_id },
    },
  },
});
const of = (event: DomainEvent, payment_id: string): DomainEvent => ({
  ...event,
  data: { ...event.data, payment_id },
});

const found = (events: readonly DomainEvent[], uses = 0) =>
  findingsOf(linkInvariants, {
    objects: [checkedObject(`link.test-${id}`, events)],
    rows: uses === 0 ? [] : [{ id, uses }],
  });

test('a link that is used, given back and closed breaks nothing', async () => {
  const uses = [heldFor('a'), of(used, 'a'), heldFor('b'), of(released, 'b'), heldFor('c')];
  expect(await found([linkOf(2), ...uses, closed], 2)).toEqual([]);
  expect(await found([linkOf(null)], 1_000)).toEqual([]);
});

test('M10: a hold too many', async () => {
  expect(await found([linkOf(1), heldFor('a'), heldFor('b')])).toEqual([
    'M10: 2 uses are taken of 1',
  ]);
});

test('M10: more payments than the link knows of', async () => {
  expect(await found([linkOf(2), heldFor('a'), of(used, 'a')], 3)).toEqual([
    'M10: 3 payments hold or have its 2 uses',
  ]);
});

test('M10: one payment has used it twice', async () => {
  expect(await found([linkOf(3), heldFor('a'), of(used, 'a'), of(used, 'a')])).toEqual([
    'M10: a has used it twice',
  ]);
});
