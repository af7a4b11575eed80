import type { MailDueFact } from '@tender/contracts';
import { factFaults } from '@tender/contracts/testing';
import type { StoredEvent } from '@tender/eventing';
import { publishBilling } from '../publish-billing';
import { recordedLife, type LifeNoun } from '../testing/recorded-lives';
import { letterOf } from './letter-of';
import { MAILED_FACTS } from './mailed-facts';

const LINK_FIELDS = ['installment_number', 'payment_link_id'];
const NOUNS: readonly LifeNoun[] = ['invoice', 'installment-plan', 'subscription'];

test.each(NOUNS)('each event of one %s that makes a mail has a fact that the queue hears', (noun) => {
  const heard: readonly string[] = MAILED_FACTS.map(({ type }) => type);
  const life = recordedLife(noun) as readonly StoredEvent[];
  const silent = life.filter((event, index) => {
    if (letterOf(life.slice(0, index + 1)) === null) return false;
    return !heard.includes(publishBilling(event)?.type ?? '');
  });
  expect(silent.map(({ type }) => type)).toEqual([]);
});

test.each(NOUNS)('the fact of a mail of one %s has neither words nor an address', (noun) => {
  for (const event of recordedLife(noun) as readonly StoredEvent[]) {
    const said = publishBilling(event);
    if (said?.type !== 'billing.mail-due.v1') continue;
    expect(factFaults(said as never)).toEqual([]);
    const { opened = null, ...data } = said.data as MailDueFact;
    expect(Object.keys(data)).toEqual(['merchant_id', 'object_id']);
    const link_fields = event.type.endsWith('ChargeOpened') ? LINK_FIELDS : [];
    expect(Object.keys(opened ?? {}).toSorted()).toEqual(link_fields);
  }
});
