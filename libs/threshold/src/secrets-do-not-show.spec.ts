import { inspect } from 'node:util';
import { serialize } from 'node:v8';
import { commitNonces } from './sign';
import { dealtWallet } from './testing';

const { shares } = dealtWallet();
const { nonces } = commitNonces(shares.A);

/** Every way that a value gets into a log, a message or a row. */
const written = (value: object): readonly (string | Buffer)[] => [
  JSON.stringify({ value }),
  JSON.stringify({ ...value }),
  inspect({ value }, { depth: null, showHidden: true, getters: true }),
  inspect(value, { showHidden: true, getters: true, customInspect: false }),
  String(value),
  `${Object.entries(value)}`,
  serialize(value),
];
const secrets = (secret: Uint8Array): readonly (string | Buffer)[] => {
  const bytes = Buffer.from(secret);
  return [
    bytes,
    bytes.toString('hex'),
    bytes.toString('base64'),
    bytes.join(','),
    bytes.join(', '),
    // As inspect shows bytes.
    bytes.toString('hex').replace(/(..)(?!$)/g, '$1 '),
  ];
};
const shows = (text: string | Buffer, secret: Uint8Array): boolean =>
  secrets(secret).some((form) => Buffer.from(text).includes(form));

it('a share of a key', () => {
  for (const text of written(shares.A)) expect(shows(text, shares.A.secret)).toBe(false);
  expect(JSON.parse(JSON.stringify(shares.A))).toEqual({
    role: 'A',
    wallet: shares.A.wallet,
    epoch: 1,
  });
});

it('nonces, of which a copy is nothing', () => {
  const texts = written(nonces);
  expect(() => structuredClone(nonces).take()).toThrow(TypeError);
  const pair = nonces.take()!;
  for (const text of texts) {
    expect(shows(text, pair.hiding) || shows(text, pair.binding)).toBe(false);
  }
});
