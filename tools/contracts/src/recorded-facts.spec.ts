import { allFacts } from '@tender/contracts';
import { factFaults } from '@tender/contracts/testing';
import { recordedFacts } from './recorded-facts';

const recorded = recordedFacts();
/** Nothing makes a merchant's wallet yet. */
const NEVER_SAID = 'accounts.wallet-created.v1';

// Topics hold records of every release: a class that they no longer fit breaks consumers that read them again.
test.each(recorded)('a recorded $type fits the class of its fact', (record) => {
  expect(factFaults(record)).toEqual([]);
});

test('each fact that a context says is recorded', () => {
  const types = new Set([...recorded.map(({ type }) => type), NEVER_SAID]);
  expect([...types].sort()).toEqual(allFacts.map(({ type }) => type).sort());
});

test('a record that lacks a field, has one more, or another type does not fit', () => {
  const settled = recorded.find(({ type }) => type === 'payments.settlement-completed.v1');
  const { type, data } = settled as (typeof recorded)[number];
  const { settlement, ...payment } = data as { readonly settlement: { readonly id: string } };
  const { id: _, ...lacking } = settlement;
  const faults = (told: object) => factFaults({ type, data: told });
  expect(faults({ ...payment, settlement })).toEqual([]);
  expect(faults({ ...payment, settlement: lacking })).toEqual(['required /settlement id']);
  expect(faults({ ...payment, settlement: { ...settlement, fee: 1 } })).toEqual([
    'additionalProperties /settlement fee',
  ]);
  expect(faults({ ...payment, settlement: { ...settlement, id: 7 } })).toEqual([
    'type /settlement/id',
  ]);
  expect(factFaults({ type: 'payments.lost.v1', data })).toEqual(['unknown type payments.lost.v1']);
});
