import { base64url, type Proof, type ProvenOperation, type SignerCode } from '@tender/threshold';
import { ALGORITHMS } from '@tender/threshold/testing';
import { brokenGuard } from '../guard';
import { attacksOnProofs, otherOperations } from '../testing/attacks-on-proofs';
import { APPROVAL, SoftPasskey } from '../testing/soft-passkey';
import { NOW_MS, wallet } from '../testing/requests';
import { judgeProof, PROOF_GUARDS } from './proof-guards';
import { seenProof, type ProofRequest } from './seen-proof';

const merchant_id = 'merchant-1';
const operation: ProvenOperation = {
  ...{ type: 'set_operating_wallet_limits', merchant_id, mode: 'test', wallet, per_day_cents: 5_000_000 },
};
const passkey = new SoftPasskey();
const request = (proof: Proof, changes: Partial<ProofRequest> = {}): ProofRequest => ({
  ...{ operation, proof, approval: APPROVAL, now_ms: NOW_MS },
  passkey: { public_key: passkey.public_key, counter: 0 },
  ...changes,
});
const honest = passkey.allowing(operation, NOW_MS);
const codeOf = (one: ProofRequest): SignerCode | 'holds' => {
  const judged = judgeProof(one);
  return judged.ok ? 'holds' : judged.code;
};

test.each(ALGORITHMS)('a proof by %s holds', (algorithm) => {
  const own = new SoftPasskey(algorithm);
  const proof = own.allowing(operation, NOW_MS, { counter: 7 });
  const known = { public_key: own.public_key, counter: 7 };
  expect(judgeProof(request(proof, { passkey: known }))).toMatchObject({ ok: true, counter: 7 });
});

test.each([
  ['the first of its milliseconds', { expires_ms: NOW_MS + 180_000 }],
  ['the last of them', { expires_ms: NOW_MS + 1 }],
])('a challenge is taken at %s', (_, changes) => {
  expect(codeOf(request(passkey.allowing(operation, NOW_MS, changes)))).toBe('holds');
});

const flipped = (text: string): string => {
  const bytes = Buffer.from(text, 'base64url');
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
  return base64url(bytes);
};
type Bad = readonly [SignerCode, string, ProofRequest];
const BAD: readonly Bad[] = [
  ...attacksOnProofs.map(({ code, name, changes }): Bad => {
    return [code, name, request(passkey.allowing(operation, NOW_MS, changes(NOW_MS)))];
  }),
  ...otherOperations(operation).map((meant): Bad => {
    const proof = passkey.allowing(meant, NOW_MS);
    return ['passkey_operation_mismatch', `made for ${JSON.stringify(meant)}`, request(proof)];
  }),
  ['passkey_unknown_credential', 'by a passkey that is not known', request(honest, { passkey: null })],
  ['passkey_invalid', 'by another passkey under this id', request(honest, {
    passkey: { public_key: new SoftPasskey().public_key, counter: 0 },
  })],
  ['passkey_invalid', 'with another signature', request({ ...honest, signature: flipped(honest.signature) })],
  ['passkey_invalid', 'with an empty signature', request({ ...honest, signature: '' })],
  ['passkey_invalid', 'with another count behind the signature', request({
    ...honest, authenticator_data: flipped(honest.authenticator_data),
  })],
  ['passkey_invalid', 'by a passkey that counts back', request(
    passkey.allowing(operation, NOW_MS, { counter: 6 }),
    { passkey: { public_key: passkey.public_key, counter: 7 } },
  )],
  ['passkey_invalid', 'by a key of no known kind', request(honest, { passkey: { public_key: 'oA', counter: 0 } })],
  ['passkey_signature_malformed', 'with short data', request({ ...honest, authenticator_data: 'AAAA' })],
  ['passkey_signature_malformed', 'with client data that is no JSON', request({ ...honest, client_data_json: 'AAAA' })],
  ['passkey_signature_malformed', 'with client data that is null', request({ ...honest, client_data_json: base64url(Buffer.from('null')) })],
  ['passkey_signature_malformed', 'not in base64url', request({ ...honest, authenticator_data: '++++' })],
];

test.each(BAD)('%s: a proof %s', (code, _, one) => expect(codeOf(one)).toBe(code));

test.each(PROOF_GUARDS.map((one) => [one.rule, one] as const))('without “%s” something is told otherwise', (_, one) => {
  const others = PROOF_GUARDS.filter((other) => other !== one);
  const told = ([, , bad]: Bad) => brokenGuard(others, seenProof(bad))?.code ?? 'holds';
  expect(BAD.filter((bad) => told(bad) !== bad[0])).not.toEqual([]);
});
