import { base64 } from '@tender/transactions';
import fc from 'fast-check';
import { identityOf } from './identity';
import type { Envelope, Signed } from './messages';
import { isSignedBy, messageBytes, messageFault, signMessage, type Expected } from './signed-message';

const identity = identityOf(Buffer.alloc(32, 1));
const stranger = identityOf(Buffer.alloc(32, 2));
const envelope: Envelope = {
  v: 1,
  kind: 'propose',
  session: 's-1',
  from: 'A',
  to: 'treasury',
  epoch: 1,
  body: { text: 'ü', nested: { b: [1, null, true], a: '' } },
};
const signed = signMessage(identity, envelope);
const { public_key } = identity;

describe('a signed message', () => {
  it('is signed over one way to write it', () => {
    expect(Buffer.from(messageBytes(envelope)).toString()).toBe(
      'tender.message.v1\n{"body":{"nested":{"a":"","b":[1,null,true]},"text":"ü"},"epoch":1,"from":"A","kind":"propose","session":"s-1","to":"treasury","v":1}',
    );
  });

  it('is the same after it was carried, whatever the order of its fields', () => {
    const message = Object.fromEntries(Object.entries(envelope).reverse()) as unknown as Envelope;
    const carried = JSON.parse(JSON.stringify({ message, signature: signed.signature })) as Signed;
    expect(isSignedBy(carried, public_key)).toBe(true);
    expect(isSignedBy(carried, stranger.public_key)).toBe(false);
  });

  it('cannot be changed in any place', () => {
    const leaves = ['v', 'kind', 'session', 'from', 'to', 'epoch', 'body'] as const;
    const other = { v: 2, kind: 'sign', session: 's-2', from: 'B', to: 'all', epoch: 2, body: {} };
    for (const leaf of leaves) {
      const message = { ...envelope, [leaf]: other[leaf] };
      expect(isSignedBy({ ...signed, message } as Signed, public_key)).toBe(false);
    }
    const more = { ...signed, message: { ...envelope, more: 1 } };
    expect(isSignedBy(more, public_key)).toBe(false);
  });

  it('is nothing else that its owner signs', () => {
    const raw = Buffer.from(JSON.stringify(envelope));
    const signature = base64(identity.sign(raw));
    expect(isSignedBy({ message: envelope, signature }, public_key)).toBe(false);
  });

  it.each([
    null,
    undefined,
    'text',
    [],
    {},
    { message: envelope },
    { message: envelope, signature: 7 },
    { message: envelope, signature: '' },
    { message: envelope, signature: `${signed.signature}\n` },
    { message: envelope, signature: signed.signature.slice(0, 40) },
    { ...signed, more: true },
    { message: { ...envelope, body: undefined }, signature: signed.signature },
    { message: { ...envelope, body: '\ud800' }, signature: signed.signature },
    { message: { ...envelope, body: NaN }, signature: signed.signature },
    { message: { ...envelope, from: 'C' }, signature: signed.signature },
  ])('is not %p, and that throws nothing', (value) => {
    expect(isSignedBy(value as unknown as Signed, public_key)).toBe(false);
  });

  it('is nothing that a stranger makes up', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (body, key) => {
        expect(isSignedBy(body as unknown as Signed, public_key)).toBe(false);
        expect(isSignedBy(signed, key)).toBe(false);
        expect(isSignedBy(signMessage(stranger, { ...envelope, body }), public_key)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });
});

describe('a message that is expected', () => {
  const { body: _, v: __, ...rest } = envelope;
  const expected: Expected = { public_key, ...rest };

  it('is taken', () => {
    expect(messageFault(signed, expected)).toBeNull();
  });

  it.each([
    ['bad_signature', { public_key: stranger.public_key }],
    ['wrong_sender', { from: 'B' }],
    ['wrong_session', { session: 's-2' }],
    ['wrong_kind', { kind: 'sign' }],
    ['wrong_receiver', { to: 'all' }],
    ['wrong_epoch', { epoch: 2 }],
  ] as const)('is refused as %s', (fault, change) => {
    expect(messageFault(signed, { ...expected, ...change })).toBe(fault);
  });
});
