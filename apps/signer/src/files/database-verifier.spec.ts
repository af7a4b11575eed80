import { databaseVerifier, scramVerifier } from './database-verifier';

test('the verifier is the one of the example of RFC 7677', () => {
  const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64');
  expect(scramVerifier('pencil', salt)).toBe(
    'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=' +
      ':wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
  );
});

test('it is the same for a password each time, and another one for another', () => {
  expect(databaseVerifier('one')).toBe(databaseVerifier('one'));
  expect(databaseVerifier('one').slice(0, 44)).not.toBe(databaseVerifier('two').slice(0, 44));
});
