import { factFaults } from '@tender/contracts/testing';
import type { StoredEvent } from '@tender/eventing';
import payments from '../../domain/src/recorded/payment-v1.json';
import intents from '../../domain/src/recorded/payment-intent-v1.json';
import held from '../../domain/src/recorded/held-payment-v1.json';
import manual from '../../domain/src/recorded/manual-intent-v1.json';
import links from '../../domain/src/recorded/payment-link-v1.json';
import refunds from '../../domain/src/recorded/receipt-refund-v1.json';
import receipts from '../../domain/src/recorded/receipt-v1.json';
import published from './recorded/payments-public-v1.json';
import { publishPayments } from './publish-payments';

const all = { ...held, ...manual, ...payments, ...receipts, ...refunds, ...links, ...intents };
const recorded: Record<string, unknown> = all;
const golden: Record<string, unknown> = published;

// Public events of version 1 never change: a difference here breaks consumers. A field may be added, and what
// was recorded stays as it is: topics hold records without it.
test.each(Object.keys(recorded))('what %s says in public is what version 1 says', (type) => {
  const said = JSON.parse(JSON.stringify(publishPayments(recorded[type] as StoredEvent)));
  if (golden[type] === null) return void expect(said).toBeNull();
  expect(said).toMatchObject(golden[type] as object);
  expect(factFaults(said)).toEqual([]);
});

test('an event of a later version is not published, and does not stop the bus', () => {
  expect(publishPayments({ type: 'PaymentNoted', data: {} } as StoredEvent)).toBeNull();
});
