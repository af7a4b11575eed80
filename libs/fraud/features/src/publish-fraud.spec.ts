import { factFaults } from '@tender/contracts/testing';
import type { StoredEvent } from '@tender/eventing';
import flags from '../../domain/src/recorded/flag-v1.json';
import published from './recorded/fraud-public-v1.json';
import { publishFraud } from './publish-fraud';

const recorded: Record<string, unknown> = flags;
const golden: Record<string, unknown> = published;

// Public events of version 1 never change: a field may be added, and nothing else.
test.each(Object.keys(recorded))('what %s says in public is what version 1 says', (type) => {
  const said = JSON.parse(JSON.stringify(publishFraud(recorded[type] as StoredEvent))) as
    object | null;
  if (golden[type] === null) expect(said).toBeNull();
  else {
    expect(said).toMatchObject(golden[type] as object);
    expect(factFaults(said as never)).toEqual([]);
  }
});

test('a block before the payment was stored shows no payment; both name their payment', () => {
  expect(published.PaymentBlocked.data.payment).toBeNull();
  expect(published.FlagRaised.data.payment?.id).toBe(published.FlagRaised.data.fraud.payment_id);
});
