import { factFaults } from '@tender/contracts/testing';
import type { StoredEvent } from '@tender/eventing';
import history from '../../domain/src/recorded/merchant-v1.json';
import passkeys from '../../domain/src/recorded/passkeys-v1.json';
import { publishAccounts } from './publish-accounts';
import passkeysPublished from './recorded/passkeys-public-v1.json';
import published from './recorded/accounts-public-v1.json';

const said = (history as readonly unknown[] as readonly StoredEvent[]).map(publishAccounts);

// Public events of version 1 never change: a difference here breaks consumers. A field may be added, and what
// was recorded stays as it is: topics hold records without it.
test('a sign-up is published without personal data, keys are not published', () => {
  expect(said).toMatchObject(published);
  expect(said.flatMap((one) => (one ? factFaults(one) : []))).toEqual([]);
});

test('of a passkey what is public is published', () => {
  const facts = (passkeys as readonly unknown[] as readonly StoredEvent[]).map(publishAccounts);
  expect(facts).toEqual(passkeysPublished.map((one) => expect.objectContaining(one)));
  expect(facts.flatMap((one) => (one ? factFaults(one) : []))).toEqual([]);
});
