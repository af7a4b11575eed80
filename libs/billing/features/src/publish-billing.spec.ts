import { factFaults } from '@tender/contracts/testing';
import type { StoredEvent } from '@tender/eventing';
import installmentPlans from '../../domain/src/recorded/installment-plan-v1.json';
import invoices from '../../domain/src/recorded/invoice-v1.json';
import plans from '../../domain/src/recorded/plan-v1.json';
import subscriptions from '../../domain/src/recorded/subscription-v1.json';
import { publishBilling } from './publish-billing';
import published from './recorded/billing-public-v1.json';
import publishedInstallmentPlans from './recorded/installment-plans-public-v1.json';
import publishedInvoices from './recorded/invoices-public-v1.json';
import publishedMails from './recorded/mails-public-v1.json';
import publishedSubscriptions from './recorded/subscriptions-public-v1.json';

const recorded: Record<string, unknown> = {
  ...plans,
  ...subscriptions,
  ...installmentPlans,
  ...invoices,
};
const golden: Record<string, unknown> = {
  ...published,
  ...publishedSubscriptions,
  ...publishedInvoices,
  ...publishedInstallmentPlans,
  ...publishedMails,
};

// Public events of version 1 never change: a difference here breaks a consumer. A field may be added, and
// what was recorded stays as it is: topics hold records without it.
test.each(Object.keys(golden))('what %s says in public is what version 1 says', (type) => {
  const said = JSON.parse(JSON.stringify(publishBilling(recorded[type] as StoredEvent)));
  expect(said).toMatchObject(golden[type] as object);
  expect(factFaults(said)).toEqual([]);
});

test('an event of a later version is not told, and does not stop the bus', () => {
  expect(publishBilling({ type: 'SomethingNew', data: {} } as StoredEvent)).toBeNull();
});
