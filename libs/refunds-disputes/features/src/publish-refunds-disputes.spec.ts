import { factFaults } from '@tender/contracts/testing';
import type { StoredEvent } from '@tender/eventing';
import disputes from '../../domain/src/recorded/dispute-v1.json';
import refunds from '../../domain/src/recorded/refund-v1.json';
import { publishRefundsDisputes } from './publish-refunds-disputes';
import publishedDisputes from './recorded/disputes-public-v1.json';
import publishedRefunds from './recorded/refunds-public-v1.json';

const recorded: Record<string, unknown> = { ...refunds, ...disputes };
const golden: Record<string, unknown> = { ...publishedRefunds, ...publishedDisputes };

// Public events of version 1 never change: a difference here breaks consumers. A field may be added, and what
// was recorded stays as it is: topics hold records without it.
test.each(Object.keys(recorded))('what %s says in public is what version 1 says', (type) => {
  const said = JSON.parse(JSON.stringify(publishRefundsDisputes(recorded[type] as StoredEvent)));
  if (golden[type] === null) return void expect(said).toBeNull();
  expect(said).toMatchObject(golden[type] as object);
  expect(factFaults(said)).toEqual([]);
});

test('an event of a later version is not published, and does not stop the bus', () => {
  expect(publishRefundsDisputes({ type: 'RefundNoted', data: {} } as StoredEvent)).toBeNull();
});
