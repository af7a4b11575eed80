import { factFaults } from '@tender/contracts/testing';
import type { StoredEvent } from '@tender/eventing';
import wallets from '../../domain/src/recorded/operating-wallet-v1.json';
import transfers from '../../domain/src/recorded/outgoing-transfer-v1.json';
import { publishTreasury } from './publish-treasury';
import allowedInPublic from './recorded/allowed-by-passkeys-public-v1.json';
import walletsInPublic from './recorded/operating-wallets-public-v1.json';
import transfersInPublic from './recorded/transfers-public-v1.json';

// Public events of version 1 never change: a difference here breaks a consumer. A field may be added, and what was
// recorded stays as it is: topics hold records without it.
const said = (event: unknown) => publishTreasury(event as StoredEvent);
const recorded: readonly { readonly type: string }[] = [...transfers.events, transfers.failed];

test('what an operating wallet says in public is what version 1 says', () => {
  const facts = [...wallets.events, ...wallets.allowed.events].map(said);
  const in_public = [...walletsInPublic, ...allowedInPublic];
  expect(JSON.parse(JSON.stringify(facts))).toMatchObject(in_public);
  for (const fact of facts) if (fact) expect(factFaults(fact)).toEqual([]);
});

test.each(Object.entries(transfersInPublic))('what %s says in public is what version 1 says', (type, golden) => {
  const fact = JSON.parse(JSON.stringify(said(recorded.find((one) => one.type === type))));
  expect(fact).toMatchObject(golden);
  expect(factFaults(fact)).toEqual([]);
});

test('what concerns no other context, and an event of a later version, is not told', () => {
  for (const type of ['TransferRequested', 'TransferDropped', 'MarkerReclaimed', 'SomethingNew']) {
    expect(said({ type, data: {} })).toBeNull();
  }
});
