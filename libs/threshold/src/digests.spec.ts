import { intentDigest, operationDigest } from './digests';
import type { Operation } from './operation';

const operation: Operation = {
  v: 1,
  id: 'transfer-1',
  type: 'refund',
  mode: 'test',
  wallet: 'Wallet',
  to: 'Customer',
  asset: 'USDC',
  amount: '1500000',
  credit: 'signature',
  exp: 1_800_000_000_000,
};
const message = Buffer.from('the bytes of a message');
const CHANGES: Readonly<Record<keyof Operation, unknown>> = {
  v: 2,
  id: 'transfer-2',
  type: 'settlement',
  mode: 'live',
  wallet: 'Other',
  to: 'Other',
  asset: 'SOL',
  amount: '1500001',
  credit: null,
  exp: 1_800_000_000_001,
};
const changed = Object.entries(CHANGES).map(
  ([name, value]) => [name, { ...operation, [name]: value } as Operation] as const,
);

it('an operation is the same for every attempt', () => {
  const digest = operationDigest(operation);
  const digests = changed.map(([name, other]) => [name, operationDigest(other) === digest]);
  expect(Object.fromEntries(digests)).toEqual({
    ...Object.fromEntries(Object.keys(CHANGES).map((name) => [name, false])),
    exp: true,
  });
});

it('an intent is one attempt, by one message', () => {
  const all = [
    intentDigest(operation, message),
    intentDigest(operation, Buffer.from('other bytes')),
    ...changed.map(([, other]) => intentDigest(other, message)),
    operationDigest(operation),
  ];
  expect(new Set(all).size).toBe(all.length);
  expect(all.every((digest) => /^[0-9a-f]{64}$/.test(digest))).toBe(true);
});

it('a digest of each kind stays what it is: signers keep them', () => {
  expect(operationDigest(operation)).toBe(
    '6a000c9b02870339cb07fe88b4b1ce6155d051ea4c60de5535bd8833dcd928a7',
  );
  expect(intentDigest(operation, message)).toBe(
    '72c6044d571d857579f670e9d18bd9534644bb4ca04ed868bd5ddeac01e52613',
  );
});
