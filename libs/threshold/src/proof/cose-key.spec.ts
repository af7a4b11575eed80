import { ALGORITHMS, passkeyKey } from '../testing/passkey-key';
import { credentialKey } from './cose-key';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const X = '11'.repeat(32);

test.each(ALGORITHMS)('reads the key of a passkey by %s', (algorithm) => {
  expect(credentialKey(passkeyKey(algorithm).cose)).not.toBeNull();
});

test.each([
  ['nothing', ''],
  ['no map', '83010203'],
  ['an empty map', 'a0'],
  ['a map that ends early', 'a5010203262001215820'],
  ['bytes behind the map', `a4010103272006215820${X}00`],
  ['a label twice', `a40101010103272158206${X}`.slice(0, 84)],
  ['a label that is a text', 'a16161'],
  ['a value that is a text', 'a1016161'],
  ['a key of another algorithm', `a4010103382e2006215820${X}`],
  ['an EdDSA key on another curve', `a4010103272007215820${X}`],
  ['an EdDSA key with one thing more', `a5010103272006215820${X}0400`],
  ['an EdDSA key that is short', `a401010327200621581f${X.slice(2)}`],
  ['a point that is on no curve', `a5010203262001215820${X}225820${X}`],
  ['an ES256 key without its y', `a4010203262001215820${X}`],
  ['an RSA key of 1024 bits', `a40103033901002058${'80'}${'ff'.repeat(128)}2143010001`],
  ['a length of four bytes', `a4010103272006215a00000020${X}`],
])('refuses %s', (_, text) => expect(credentialKey(hex(text))).toBeNull());
