import { signerRole } from './roles';
import { verifierOf } from './testing/data-folders';

const verifier = verifierOf('its password');

test.each(['tender', 'tender_program', 'postgres', 'template1', 'pg_monitor', 'A', 'a"b', "a'b", 'a-b', '1a', ''])(
  '%j is not the role of a signer',
  (role) => {
    expect(() => signerRole({ role, verifier })).toThrow('cannot be the role of a signer');
  },
);

test.each([
  'its password',
  `${verifier}'`,
  `${verifier}\n`,
  verifier.replace('SCRAM-SHA-256', 'md5'),
  verifier.slice(0, -2),
])('a signer that gives what is no verifier is refused, and the sentence does not repeat it: %#', (given) => {
  const refused = () => signerRole({ role: 'signer_a', verifier: given });
  expect(refused).toThrow('the verifier of signer_a is not SCRAM-SHA-256$');
  expect(refused).not.toThrow(given);
});

test('a role and a verifier as they shall be are taken', () => {
  expect(signerRole({ role: 'signer_a', verifier }).statements.join('\n')).toContain(verifier);
});
